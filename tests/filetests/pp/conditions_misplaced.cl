#else
#elif 1
#endif
#if 0
#else
#else
#elif 1
#endif junk
#ifdef
#endif
#ifdef 3
#endif
#ifndef A B
ok
#endif
#bogus
#
# 
#undef
#undef A B
#if 1
#ifdef X
