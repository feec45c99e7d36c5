#include "loop.h"
//--- loop.h
#include "loop.h"
