//! The table: every builtin function of OpenCL C that this compiler knows (OpenCL C 3.0, 6.15), with its overloads in
//! the language of [`super::signature`] and what a call becomes.

use super::{
    AtomicKind, Builtin, C11Kind, FenceKind, FloatTest, Lowering, Rounding, Special, signature,
    teams,
};
use crate::ir::{BinaryOp, TernaryOp, UnaryOp, WorkItemQuery};

pub(super) fn build() -> Vec<Builtin> {
    let mut table = Table { list: Vec::new() };
    work_item(&mut table);
    math(&mut table);
    integer(&mut table);
    common(&mut table);
    geometric(&mut table);
    relational(&mut table);
    vector_data(&mut table);
    synchronization(&mut table);
    super::copies::add(&mut table);
    atomics(&mut table);
    c11_atomics(&mut table);
    super::images::add(&mut table);
    // 6.15.13; the functions with pipes are `front::sema::pipe`'s.
    table.since(
        200,
        "is_valid_reserve_id",
        "bool(reserve_id_t)",
        Lowering::Special(Special::IsValidReserveId),
    );
    teams::work_group(&mut table);
    teams::sub_group(&mut table);
    table.list
}

pub(super) struct Table {
    list: Vec<Builtin>,
}

impl Table {
    /// Functions that share their overloads and lowering; names stand apart by blanks.
    pub(super) fn add(&mut self, names: &str, signatures: &str, lowering: Lowering) {
        self.since(100, names, signatures, lowering);
    }

    pub(super) fn since(&mut self, since: u32, names: &str, signatures: &str, lowering: Lowering) {
        for name in names.split_whitespace() {
            self.list.push(Builtin {
                name: name.to_string(),
                signatures: signature::parse(signatures),
                lowering,
                since,
            });
        }
    }
}

/// 6.15.1
fn work_item(t: &mut Table) {
    use WorkItemQuery as Q;
    t.add("get_work_dim", "uint()", Lowering::WorkItem(Q::WorkDim));
    for (name, query) in [
        ("get_global_size", Q::GlobalSize),
        ("get_global_id", Q::GlobalId),
        ("get_local_size", Q::LocalSize),
        ("get_local_id", Q::LocalId),
        ("get_num_groups", Q::NumGroups),
        ("get_group_id", Q::GroupId),
        ("get_global_offset", Q::GlobalOffset),
    ] {
        t.add(name, "size_t(uint)", Lowering::WorkItem(query));
    }
    t.since(
        200,
        "get_enqueued_local_size",
        "size_t(uint)",
        Lowering::WorkItem(Q::EnqueuedLocalSize),
    );
    t.since(
        200,
        "get_global_linear_id",
        "size_t()",
        Lowering::WorkItem(Q::GlobalLinearId),
    );
    t.since(
        200,
        "get_local_linear_id",
        "size_t()",
        Lowering::WorkItem(Q::LocalLinearId),
    );
    // cl_khr_kernel_clock
    t.add(
        "clock_read_device clock_read_work_group clock_read_sub_group",
        "ulong()",
        Lowering::Special(Special::ReadClock),
    );
    t.add(
        "clock_read_hilo_device clock_read_hilo_work_group clock_read_hilo_sub_group",
        "uint2()",
        Lowering::Special(Special::ReadClock),
    );
}

/// 6.15.2
fn math(t: &mut Table) {
    use Lowering::{Binary, Elementwise, Ternary, Unary};
    t.add(
        "acos acosh acospi asin asinh asinpi atan atanh atanpi cbrt cos cosh cospi erfc erf exp exp2 exp10 expm1 \
         lgamma log log2 log10 log1p logb rsqrt sin sinh sinpi tan tanh tanpi tgamma",
        "F(F)",
        Elementwise,
    );
    t.add(
        "atan2 atan2pi fdim fmod hypot maxmag minmag nextafter pow powr remainder",
        "F(F,F)",
        Elementwise,
    );
    t.add("fabs", "F(F)", Unary(UnaryOp::FAbs));
    t.add("ceil", "F(F)", Unary(UnaryOp::Ceil));
    t.add("floor", "F(F)", Unary(UnaryOp::Floor));
    t.add("rint", "F(F)", Unary(UnaryOp::Rint));
    t.add("round", "F(F)", Unary(UnaryOp::Round));
    t.add("trunc", "F(F)", Unary(UnaryOp::Trunc));
    t.add("sqrt", "F(F)", Unary(UnaryOp::Sqrt));
    t.add("copysign", "F(F,F)", Binary(BinaryOp::CopySign));
    t.add("fmax", "F(F,F) | F(F,s)", Binary(BinaryOp::FMax));
    t.add("fmin", "F(F,F) | F(F,s)", Binary(BinaryOp::FMin));
    // What the library's own text asks of the machine; see the instructions.
    let one = "float(float)";
    t.add("__clo_recip", one, Unary(UnaryOp::RecipEstimate));
    t.add("__clo_rsqrt", one, Unary(UnaryOp::RsqrtEstimate));
    let same = "float(float) | double(double)";
    t.add("__clo_frem", "F(F,F)", Binary(BinaryOp::FRem));
    t.add("__clo_mantissa", same, Unary(UnaryOp::FMantissa));
    t.add("__clo_exponent", same, Unary(UnaryOp::FExponent));
    t.add("__clo_significand", same, Unary(UnaryOp::FSignificand));
    t.add("__clo_logb", same, Unary(UnaryOp::FLogb));
    t.add(
        "__clo_scale",
        "float(float,float) | double(double,double)",
        Binary(BinaryOp::FScale),
    );
    t.add("fma", "F(F,F,F)", Ternary(TernaryOp::Fma));
    t.add("mad", "F(F,F,F)", Ternary(TernaryOp::MulAdd));
    t.add("fract modf sincos", "F(F,F*)", Elementwise);
    t.add("frexp lgamma_r", "F(F,n*)", Elementwise);
    t.add("remquo", "F(F,F,n*)", Elementwise);
    t.add("ilogb", "n(F)", Elementwise);
    t.add("ldexp", "F(F,n) | F(F,int)", Elementwise);
    t.add("pown rootn", "F(F,n)", Elementwise);
    // spelt out, since no argument shows the result's type
    t.add(
        "nan",
        "float(uint) | float2(uint2) | float3(uint3) | float4(uint4) | float8(uint8) | float16(uint16) | \
         double(ulong) | double2(ulong2) | double3(ulong3) | double4(ulong4) | double8(ulong8) | double16(ulong16) | \
         half(ushort) | half2(ushort2) | half3(ushort3) | half4(ushort4) | half8(ushort8) | half16(ushort16)",
        Elementwise,
    );
    t.add(
        "half_cos half_exp half_exp2 half_exp10 half_log half_log2 half_log10 half_recip half_rsqrt half_sin \
         half_sqrt half_tan native_cos native_exp native_exp2 native_exp10 native_log native_log2 native_log10 \
         native_recip native_rsqrt native_sin native_sqrt native_tan",
        "float(float) | float2(float2) | float3(float3) | float4(float4) | float8(float8) | float16(float16)",
        Elementwise,
    );
    t.add(
        "half_divide half_powr native_divide native_powr",
        "float(float,float) | float2(float2,float2) | float3(float3,float3) | float4(float4,float4) | \
         float8(float8,float8) | float16(float16,float16)",
        Elementwise,
    );
}

/// 6.15.3
fn integer(t: &mut Table) {
    use Lowering::{BySign, Elementwise, Special as Sp, Unary};
    t.add("abs", "u(I)", Sp(Special::Abs));
    t.add("abs_diff", "u(I,I)", Elementwise);
    t.add("hadd rhadd rotate", "I(I,I)", Elementwise);
    t.add(
        "add_sat",
        "I(I,I)",
        BySign {
            float: BinaryOp::FAdd,
            signed: BinaryOp::SAddSat,
            unsigned: BinaryOp::UAddSat,
        },
    );
    t.add(
        "sub_sat",
        "I(I,I)",
        BySign {
            float: BinaryOp::FSub,
            signed: BinaryOp::SSubSat,
            unsigned: BinaryOp::USubSat,
        },
    );
    t.add(
        "mul_hi",
        "I(I,I)",
        BySign {
            float: BinaryOp::FMul,
            signed: BinaryOp::SMulHi,
            unsigned: BinaryOp::UMulHi,
        },
    );
    t.add("mad_hi mad_sat", "I(I,I,I)", Elementwise);
    t.add("clz", "I(I)", Unary(UnaryOp::Clz));
    t.since(200, "ctz", "I(I)", Unary(UnaryOp::Ctz));
    t.since(120, "popcount", "I(I)", Unary(UnaryOp::Popcount));
    t.add("bit_reverse", "I(I)", Unary(UnaryOp::BitReverse));
    t.add("bitfield_insert", "I(I,I,uint,uint)", Elementwise);
    t.add("bitfield_extract_signed", "i(I,uint,uint)", Elementwise);
    t.add("bitfield_extract_unsigned", "u(I,uint,uint)", Elementwise);
    t.add(
        "upsample",
        "short(char,uchar) | ushort(uchar,uchar) | int(short,ushort) | uint(ushort,ushort) | long(int,uint) | \
         ulong(uint,uint) | \
         short2(char2,uchar2) | ushort2(uchar2,uchar2) | int2(short2,ushort2) | uint2(ushort2,ushort2) | \
         long2(int2,uint2) | ulong2(uint2,uint2) | \
         short3(char3,uchar3) | ushort3(uchar3,uchar3) | int3(short3,ushort3) | uint3(ushort3,ushort3) | \
         long3(int3,uint3) | ulong3(uint3,uint3) | \
         short4(char4,uchar4) | ushort4(uchar4,uchar4) | int4(short4,ushort4) | uint4(ushort4,ushort4) | \
         long4(int4,uint4) | ulong4(uint4,uint4) | \
         short8(char8,uchar8) | ushort8(uchar8,uchar8) | int8(short8,ushort8) | uint8(ushort8,ushort8) | \
         long8(int8,uint8) | ulong8(uint8,uint8) | \
         short16(char16,uchar16) | ushort16(uchar16,uchar16) | int16(short16,ushort16) | \
         uint16(ushort16,ushort16) | long16(int16,uint16) | ulong16(uint16,uint16)",
        Sp(Special::Upsample),
    );
    for (name, args) in [("mul24", 2), ("mad24", 3)] {
        let forms: Vec<String> = ["int", "uint"]
            .iter()
            .flat_map(|s| ["", "2", "3", "4", "8", "16"].map(|n| format!("{s}{n}")))
            .map(|ty| format!("{ty}({})", vec![ty.as_str(); args].join(",")))
            .collect();
        t.add(name, &forms.join(" | "), Elementwise);
    }
}

/// 6.15.4, and min/max/clamp of 6.15.3
fn common(t: &mut Table) {
    use Lowering::{BySign, Elementwise};
    t.add("clamp", "A(A,A,A) | A(A,s,s)", Elementwise);
    t.add(
        "max",
        "A(A,A) | A(A,s)",
        BySign {
            float: BinaryOp::FMax,
            signed: BinaryOp::SMax,
            unsigned: BinaryOp::UMax,
        },
    );
    t.add(
        "min",
        "A(A,A) | A(A,s)",
        BySign {
            float: BinaryOp::FMin,
            signed: BinaryOp::SMin,
            unsigned: BinaryOp::UMin,
        },
    );
    t.add("degrees radians sign", "F(F)", Elementwise);
    t.add("mix", "F(F,F,F) | F(F,F,s)", Elementwise);
    t.add("step", "F(F,F) | F(s,F)", Elementwise);
    t.add("smoothstep", "F(F,F,F) | F(s,s,F)", Elementwise);
}

/// 6.15.5
fn geometric(t: &mut Table) {
    use Lowering::Whole;
    t.add("cross", "C(C,C)", Whole);
    t.add("distance", "s(D,D)", Whole);
    // the one of floating point, and those of bytes (6.15.3)
    t.add(
        "dot",
        "s(D,D) | uint(uchar4,uchar4) | int(char4,char4) | int(uchar4,char4) | int(char4,uchar4)",
        Whole,
    );
    t.add(
        "dot_acc_sat",
        "uint(uchar4,uchar4,uint) | int(char4,char4,int) | int(uchar4,char4,int) | int(char4,uchar4,int)",
        Whole,
    );
    for form in ["uu_uint", "ss_int", "us_int", "su_int"] {
        let result = &form[3..];
        let dot = format!("dot_4x8packed_{form}");
        t.add(&dot, &format!("{result}(uint,uint)"), Whole);
        let sum = format!("dot_acc_sat_4x8packed_{form}");
        t.add(&sum, &format!("{result}(uint,uint,{result})"), Whole);
    }
    t.add("length", "s(D)", Whole);
    t.add("normalize", "D(D)", Whole);
    t.add("fast_distance", "s(Q,Q)", Whole);
    t.add("fast_length", "s(Q)", Whole);
    t.add("fast_normalize", "Q(Q)", Whole);
}

/// 6.15.6
fn relational(t: &mut Table) {
    use FloatTest as F;
    for (name, test) in [
        ("isequal", F::IsEqual),
        ("isnotequal", F::IsNotEqual),
        ("isgreater", F::IsGreater),
        ("isgreaterequal", F::IsGreaterEqual),
        ("isless", F::IsLess),
        ("islessequal", F::IsLessEqual),
        ("islessgreater", F::IsLessGreater),
        ("isordered", F::IsOrdered),
        ("isunordered", F::IsUnordered),
    ] {
        t.add(name, "r(F,F)", Lowering::Special(Special::Test(test)));
    }
    for (name, test) in [
        ("isfinite", F::IsFinite),
        ("isinf", F::IsInf),
        ("isnan", F::IsNan),
        ("isnormal", F::IsNormal),
        ("signbit", F::SignBit),
    ] {
        t.add(name, "r(F)", Lowering::Special(Special::Test(test)));
    }
    t.add("any", "int(I)", Lowering::Special(Special::Any));
    t.add("all", "int(I)", Lowering::Special(Special::All));
    t.add(
        "bitselect",
        "A(A,A,A)",
        Lowering::Special(Special::Bitselect),
    );
    t.add(
        "select",
        "A(A,A,i) | A(A,A,u)",
        Lowering::Special(Special::Select),
    );
}

/// 6.15.7 and 6.15.13
fn vector_data(t: &mut Table) {
    use Lowering::Special as Sp;
    for n in [2, 3, 4, 8, 16] {
        t.add(
            &format!("vload{n}"),
            &format!("@{n}(size_t,S*k)"),
            Sp(Special::VLoad),
        );
        t.add(
            &format!("vstore{n}"),
            &format!("void(@{n},size_t,S*)"),
            Sp(Special::VStore),
        );
    }
    for aligned in [false, true] {
        for n in [1, 2, 3, 4, 8, 16] {
            // vload_half4, vloada_half4
            let prefix = |verb: &str| format!("v{verb}{}_half", if aligned { "a" } else { "" });
            let lanes = if n == 1 { String::new() } else { n.to_string() };
            t.add(
                &format!("{}{lanes}", prefix("load")),
                &format!("float{lanes}(size_t,half*k)"),
                Sp(Special::VLoadHalf { aligned }),
            );
            for (suffix, rounding) in [
                ("", Rounding::Nearest),
                ("_rte", Rounding::Nearest),
                ("_rtz", Rounding::Zero),
                ("_rtp", Rounding::Up),
                ("_rtn", Rounding::Down),
            ] {
                t.add(
                    &format!("{}{lanes}{suffix}", prefix("store")),
                    &format!("void(float{lanes},size_t,half*) | void(double{lanes},size_t,half*)"),
                    Sp(Special::VStoreHalf { aligned, rounding }),
                );
            }
        }
    }
    let pairs = [2, 4, 8, 16]
        .map(|n| [2, 4, 8, 16].map(|m| (n, m)))
        .concat();
    let forms = |one: fn((u8, u8)) -> String| {
        let forms: Vec<String> = pairs.iter().map(|&p| one(p)).collect();
        forms.join(" | ")
    };
    t.add(
        "shuffle",
        &forms(|(n, m)| format!("@{m}(@{n},%{m})")),
        Sp(Special::Shuffle),
    );
    t.add(
        "shuffle2",
        &forms(|(n, m)| format!("@{m}(@{n},@{n},%{m})")),
        Sp(Special::Shuffle),
    );
}

/// 6.15.8 and 6.15.9
fn synchronization(t: &mut Table) {
    use Lowering::Special as Sp;
    t.add("barrier", "void(cl_mem_fence_flags)", Sp(Special::Barrier));
    t.since(
        200,
        "work_group_barrier",
        "void(cl_mem_fence_flags) | void(cl_mem_fence_flags,memory_scope)",
        Sp(Special::Barrier),
    );
    t.add(
        "mem_fence",
        "void(cl_mem_fence_flags)",
        Sp(Special::MemFence(FenceKind::ReadWrite)),
    );
    t.add(
        "read_mem_fence",
        "void(cl_mem_fence_flags)",
        Sp(Special::MemFence(FenceKind::Read)),
    );
    t.add(
        "write_mem_fence",
        "void(cl_mem_fence_flags)",
        Sp(Special::MemFence(FenceKind::Write)),
    );
    t.since(
        200,
        "atomic_work_item_fence",
        "void(cl_mem_fence_flags,memory_order,memory_scope)",
        Sp(Special::WorkItemFence),
    );
}

/// 6.15.12.8: the atomics of OpenCL 1.x, 32 bits wide, and those of cl_khr_int64_base_atomics and
/// cl_khr_int64_extended_atomics (`atom_`).
fn atomics(t: &mut Table) {
    use AtomicKind as K;
    let mut op = |name: &str, kind: K| {
        let args = match kind {
            K::Inc | K::Dec => "",
            K::CmpXchg => ",W,W",
            _ => ",W",
        };
        let long = args.replace('W', "L");
        let word = format!("W(W*glv{args})");
        let float = match kind {
            K::Xchg => " | float(float*glv,float)",
            _ => "",
        };
        let lowering = Lowering::Special(Special::Atomic(kind));
        t.add(
            &format!("atomic_{name}"),
            &format!("{word}{float}"),
            lowering,
        );
        t.add(
            &format!("atom_{name}"),
            &format!("{word} | L(L*glv{long})"),
            lowering,
        );
    };
    for (name, kind) in [
        ("add", K::Add),
        ("sub", K::Sub),
        ("xchg", K::Xchg),
        ("inc", K::Inc),
        ("dec", K::Dec),
        ("cmpxchg", K::CmpXchg),
        ("min", K::Min),
        ("max", K::Max),
        ("and", K::And),
        ("or", K::Or),
        ("xor", K::Xor),
    ] {
        op(name, kind);
    }
}

/// 6.15.12.7: the atomics of C11, on global, local and generic memory, and those of cl_ext_float_atomics. The forms
/// without `_explicit` are sequentially consistent over the device. They are there in every version of OpenCL C, since
/// sources ask for the extension and not for a version.
fn c11_atomics(t: &mut Table) {
    const INTS: [(&str, &str); 4] = [
        ("atomic_int", "int"),
        ("atomic_uint", "uint"),
        ("atomic_long", "long"),
        ("atomic_ulong", "ulong"),
    ];
    const FLOATS: [(&str, &str); 2] = [("atomic_float", "float"), ("atomic_double", "double")];
    let all: Vec<(&str, &str)> = INTS.into_iter().chain(FLOATS).collect();
    let mut add = |name: &str, types: &[(&str, &str)], form: &str, orders: usize, kind: C11Kind| {
        let lowering = Lowering::Special(Special::C11(kind));
        let plain: Vec<String> = types
            .iter()
            .map(|(a, c)| form.replace('~', a).replace('$', c))
            .collect();
        t.add(name, &plain.join(" | "), lowering);
        if orders == 0 {
            return;
        }
        let orders = ",memory_order".repeat(orders);
        let explicit: Vec<String> = plain
            .iter()
            .flat_map(|p| {
                let open = p.strip_suffix(')').unwrap_or(p);
                [
                    format!("{open}{orders})"),
                    format!("{open}{orders},memory_scope)"),
                ]
            })
            .collect();
        t.add(&format!("{name}_explicit"), &explicit.join(" | "), lowering);
    };
    add("atomic_init", &all, "void(~*glnv,$)", 0, C11Kind::Init);
    add("atomic_load", &all, "$(~*glnv)", 1, C11Kind::Load);
    add("atomic_store", &all, "void(~*glnv,$)", 1, C11Kind::Store);
    let exchange = C11Kind::Rmw(AtomicKind::Xchg);
    add("atomic_exchange", &all, "$(~*glnv,$)", 1, exchange);
    for name in [
        "atomic_compare_exchange_strong",
        "atomic_compare_exchange_weak",
    ] {
        let form = "bool(~*glnv,$*,$)";
        add(name, &all, form, 2, C11Kind::CompareExchange);
    }
    for (op, kind) in [
        ("add", AtomicKind::Add),
        ("sub", AtomicKind::Sub),
        ("or", AtomicKind::Or),
        ("xor", AtomicKind::Xor),
        ("and", AtomicKind::And),
        ("min", AtomicKind::Min),
        ("max", AtomicKind::Max),
    ] {
        let name = format!("atomic_fetch_{op}");
        let types = match op {
            "add" | "sub" | "min" | "max" => &all[..],
            _ => &INTS,
        };
        add(&name, types, "$(~*glnv,$)", 1, C11Kind::Rmw(kind));
    }
    let flag = [("atomic_flag", "int")];
    let set = C11Kind::FlagTestAndSet;
    add("atomic_flag_test_and_set", &flag, "bool(~*glnv)", 1, set);
    add(
        "atomic_flag_clear",
        &flag,
        "void(~*glnv)",
        1,
        C11Kind::FlagClear,
    );
}
