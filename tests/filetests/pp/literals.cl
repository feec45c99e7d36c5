0 1u 2L 3ul 4ll 0x10 010 0b11 2147483648 0xffffffff 18446744073709551615u 1e3 1.5f .5h 0x1p4 0x1.fffffep127f
FLT_MAX INFINITY DBL_EPSILON M_PI_F M_PI
'a' '\n' '\x41' '\'' 'ab' "x" "y" "a\tb" "" "\"q\\"
1x 1.0q 089 0b2 0x 1e 0x1.8 99999999999999999999 1e400 1e-60f 9999999999999999999
'' 'abcde' '\q' "\xzz" "\400" L'a' L"s"
@ ` \ é é1 “
"unterminated
'u
a+++++b a<<=b a%:%:b <: :> <% %> %: ... .. -> ->* &&& |||
