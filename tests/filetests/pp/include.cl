#include "a.h"
#include <dir/b.h>
#define NAME "a.h"
#include NAME
#define ANGLED <dir/b.h>
#include ANGLED
#include "once.h"
#include "once.h"
last
#include "errors.h"
#include
#include ""
#include "a.h" junk
#include b.h
#include "missing.h"
never reached
//--- a.h
from_a __FILE__ __LINE__
//--- dir/b.h
from_b
#include "sibling.h"
//--- dir/sibling.h
from_sibling
//--- once.h
#pragma once
from_once
//--- errors.h
#include "errors2.h"
//--- errors2.h
int @ x;
#if 1
