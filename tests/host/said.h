/* What a context's callback says. */
#ifndef SAID_H
#define SAID_H

#include "host.h"
#include <pthread.h>

static pthread_mutex_t said_lock = PTHREAD_MUTEX_INITIALIZER;
static char said[4096];

static void CL_CALLBACK on_error(const char *text, const void *info, size_t size, void *user)
{
    (void)info, (void)size, (void)user;
    pthread_mutex_lock(&said_lock);
    snprintf(said, sizeof said, "%s", text);
    pthread_mutex_unlock(&said_lock);
}

/* What has been said last. */
static void copy_said(char text[sizeof said])
{
    pthread_mutex_lock(&said_lock);
    strcpy(text, said);
    pthread_mutex_unlock(&said_lock);
}

/* A host whose context has this callback, if any. */
static struct host open_with(void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *))
{
    struct host h = host_open("");
    cl_int code;
    CHECK(clReleaseCommandQueue(h.queue));
    CHECK(clReleaseContext(h.context));
    h.context = clCreateContext(NULL, 1, &h.device, notify, NULL, &code);
    CHECK(code);
    h.queue = clCreateCommandQueueWithProperties(h.context, h.device, NULL, &code);
    CHECK(code);
    return h;
}

#endif
