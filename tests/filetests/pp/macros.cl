// C99 6.10.3.5, the standard's own examples, and the usual corner cases.
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };

#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') == 0) str(: @\n), s);
#undef h
xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)

#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);

#define t2(x,y,z) x ## y ## z
int j[] = { t2(1,2,3), t2(,4,5), t2(6,,7), t2(8,9,), t2(10,,), t2(,11,), t2(,,12), t2(,,) };

#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
showlist();

#define log(fmt, ...) printf(fmt, ## __VA_ARGS__)
#define named(fmt, args...) printf(fmt, ## args)
log("a"); log("a",); log("a", 1, 2); named("b"); named("b", 3);

// Not calls.
#define call(a) [a]
call call (1) call
(2) call
;
#define EMPTY
#define LPAREN (
#define call_empty() done
call EMPTY (3) call_empty EMPTY () call_empty LPAREN )

// Recursion.
#define rec1 rec2 + 1
#define rec2 rec1 + 2
rec1; rec2;
#define self(n) self(n + 1)
self(self(0))
#define foo foo bar
foo
#define NIL(xxx) xxx
#define G_0(arg) NIL(G_1)(arg)
#define G_1(arg) NIL(arg)
G_0(42)
#define AA BB
#define BB AA
AA BB

// Line splices and comments in odd places.
#def\
ine spl\
iced 1/* x
y */+/**/2
spliced in\
t
#define spaced( a , b )a/**/b
spaced(1,2) xstr(spaced(p, q)) xstr( a  /* c */ b
  c )

__COUNTER__ __COUNTER__ __LINE__ __FILE__
xstr(__LINE__) xglue(__COUNTER__, __LINE__)
#line 100 "other.cl"
__LINE__ __FILE__
#line 7
__LINE__
# 33 "marker.h" 1
__LINE__ __FILE__
