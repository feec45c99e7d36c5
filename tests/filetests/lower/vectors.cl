int4 cmp(float4 a, float4 b, int4 c) { return (a < b) && c ? a == b : !c; }
float3 swz(float4 v, float3 w) { w.yz += v.wx; return w.zyx * v.s012; }
uint8 sh(uint8 v, int n) { return v << n >> (uint8)(3); }
float8 lit(float4 a, float2 b) { return (float8)(a, b, 1, a.x); }
