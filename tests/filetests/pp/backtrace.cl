#define INNER(x) @ x
#define MIDDLE(x) INNER(x)
#define OUTER(x) MIDDLE(x) + MIDDLE(`)
	a = OUTER(1) ;
#define D0 0x
#define D1 D0
#define D2 D1
#define D3 D2
#define D4 D3
#define D5 D4
#define D6 D5
#define D7 D6
#define D8 D7
D8
#define ID(x) x
ID(08)
#include "h.h"
//--- h.h
ID(OUTER(2))
