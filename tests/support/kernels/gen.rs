//! A random kernel in OpenCL C whose result does not depend on who runs it: the state of its making, and its frame.
//!
//! Invariants, all by construction: an item writes cells of its own only, or uniform values to cells of its group, or
//! by atomics of one kind to a cell; items meet in uniform control flow only; between two barriers a shared cell is
//! either written by one item or read. NaNs are made one before their bits are seen. Divisors are positive. Loops end.

use super::super::rng::Rng;
use super::tiles::{self, Tile};
use super::tree::{Expr, Func, Launch, Program, Stmt};
use super::types::*;

pub struct Var {
    pub name: String,
    pub ty: Ty,
    /// Equal for the whole group.
    pub uniform: bool,
    pub assignable: bool,
}

/// A private array, or a pointer to one; the length is a power of two.
#[derive(Clone)]
pub struct Array {
    pub name: String,
    pub elem: Ty,
    pub len: usize,
}

/// A function that expressions may call.
#[derive(Clone)]
pub struct Callee {
    pub name: String,
    pub ret: Ty,
    pub params: Vec<Ty>,
    /// Takes `in` first.
    pub input: bool,
    /// Takes an `int` array of 8 last.
    pub array: bool,
}

/// What a jump can leave.
#[derive(Clone)]
pub enum Exit {
    Loop,
    Switch,
    Label(String),
}

/// A statement around a place.
#[derive(Clone)]
pub struct Around {
    /// Items stay together in it, so that leaving it must not depend on the item.
    pub uniform: bool,
    pub exit: Exit,
}

/// What may stand in a place.
#[derive(Clone)]
pub struct Place {
    /// All items that still run come here together.
    pub uniform: bool,
    pub depth: usize,
    /// Loops and labelled blocks, the innermost last.
    pub around: Vec<Around>,
    /// Between the barriers around atomics on `la`.
    pub phase: bool,
}

pub struct Gen {
    pub rng: Rng,
    pub vars: Vec<Var>,
    pub arrays: Vec<Array>,
    pub structs: Vec<String>,
    pub callees: Vec<Callee>,
    /// Statements that may still be made.
    pub budget: usize,
    names: usize,
    /// In the kernel itself: its parameters and ids can be named.
    pub kernel: bool,
    /// The kernel has barriers, and shared memory in a known state.
    pub meets: bool,
    /// It calls sub-group functions, so that it must say how large they are.
    pub sub_groups: bool,
    /// The function has `in`.
    pub input: bool,
    /// What a function returns.
    pub ret: Option<Ty>,
    /// One dimension only, so that the ids of a group follow each other.
    pub linear: bool,
    pub tile: Ty,
    pub soa: Ty,
    pub aos: Ty,
    pub fields: Vec<(String, Ty)>,
    /// The number of cells of each item in `soa` and `aos`.
    pub cells: usize,
    /// Groups can be joined: nothing but barriers brings items together.
    pub tiled: bool,
    pub tiles: Vec<Tile>,
}

const LOCALS: [&[usize]; 24] = [
    &[1],
    &[2],
    &[3],
    &[5],
    &[7],
    &[8],
    &[13],
    &[16],
    &[17],
    &[20],
    &[31],
    &[32],
    &[33],
    &[37],
    &[40],
    &[64],
    &[4, 3],
    &[8, 2],
    &[5, 5],
    &[16, 2],
    &[1, 9],
    &[17, 2],
    &[3, 2, 2],
    &[8, 1, 3],
];

/// The program of a seed; from [`tiles::FIRST`] on its groups can be joined.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let tiled = seed >= tiles::FIRST;
    let launch = match tiled {
        true => tiles::launch(&mut rng),
        false => launch(&mut rng),
    };
    let scalar = |rng: &mut Rng| Ty::scalar(rng.pick(&ELEMS));
    let tile = scalar(&mut rng);
    let soa = scalar(&mut rng);
    let aos = scalar(&mut rng);
    let cells = rng.pick(&[1, 2, 3, 4, 4, 8]);
    let generator = Gen {
        vars: Vec::new(),
        arrays: Vec::new(),
        structs: Vec::new(),
        callees: Vec::new(),
        budget: 0,
        names: 0,
        kernel: false,
        meets: false,
        sub_groups: false,
        input: false,
        ret: None,
        linear: launch.local.len() == 1,
        tile,
        soa,
        aos,
        fields: Vec::new(),
        cells,
        tiled,
        tiles: Vec::new(),
        rng,
    };
    generator.program(launch)
}

fn launch(rng: &mut Rng) -> Launch {
    let local = rng.pick(&LOCALS).to_vec();
    let mut global = Vec::new();
    let items: usize = local.iter().product();
    for (d, &size) in local.iter().enumerate() {
        let groups = match d {
            0 if items < 16 => 1 + rng.below(4),
            0 => 1 + rng.below(3),
            _ => 1 + rng.below(2),
        };
        // A remainder group, where the dice say so.
        let short = if size > 1 && rng.percent(30) {
            rng.below(size)
        } else {
            0
        };
        global.push(size * groups - short);
    }
    let offset = local.iter().map(|_| {
        if rng.percent(25) {
            rng.pick(&[1, 3, 7, 64, 100])
        } else {
            0
        }
    });
    let offset = offset.collect();
    let n = match rng.below(4) {
        0 => rng.below(8) as i64,
        1 => rng.below(64) as i64,
        2 => 1 << 29,
        _ => i64::from(rng.next() as i32 >> rng.below(32)),
    };
    let f = rng.pick(&["0.0", "1.5", "-3.25", "100000000000000000000.0", "0.1"]);
    Launch {
        global,
        local,
        offset,
        n,
        f: f.to_string(),
    }
}

impl Gen {
    pub fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A scalar, or a vector now and then.
    pub fn any_type(&mut self) -> Ty {
        let elem = self.rng.pick(&ELEMS);
        if self.rng.percent(25) {
            Ty::vector(elem, self.rng.pick(&[2, 3, 4, 4, 8, 16]))
        } else {
            Ty::scalar(elem)
        }
    }

    pub fn declare(&mut self, name: &str, ty: Ty, uniform: bool, assignable: bool) {
        self.vars.push(Var {
            name: name.to_string(),
            ty,
            uniform,
            assignable,
        });
    }

    fn program(mut self, launch: Launch) -> Program {
        for n in 0..1 + self.rng.below(4) {
            let ty = self.any_type();
            self.fields.push((format!("m{n}"), ty));
        }
        let fields = self.fields.iter();
        let fields: String = fields
            .map(|(name, ty)| format!(" {} {name};", ty.name()))
            .collect();
        // What a field's padding holds is nobody's business: it is never compared.
        let prelude = vec![
            "#pragma OPENCL FP_CONTRACT OFF".to_string(),
            "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable".to_string(),
            "__constant int table[8] = { 5, -7, 0, 1, 2147483647, 12, -1, 3 };".to_string(),
            format!("struct S {{{fields} }};"),
            "uint fbits(float x) { return isnan(x) ? 77u : as_uint(x); }".to_string(),
            "ulong dbits(double x) { return isnan(x) ? 77ul : as_ulong(x); }".to_string(),
            "int meet(void) { barrier(CLK_LOCAL_MEM_FENCE); return 1; }".to_string(),
            format!(
                "{0} pass(__local {0} *tile, {0} x, uint at, uint from)\n{{\n    tile[at] = x;\n    \
                 barrier(CLK_LOCAL_MEM_FENCE);\n    {0} y = tile[from];\n    \
                 barrier(CLK_LOCAL_MEM_FENCE);\n    return y;\n}}",
                self.tile.name()
            ),
        ];
        let mut funcs = Vec::new();
        for _ in 0..self.rng.below(3) {
            funcs.push(self.function());
        }
        funcs.push(self.kernel(&launch));
        let items: usize = launch.global.iter().product();
        let group: usize = launch.local.iter().product();
        let whole = |d: usize| launch.global[d].is_multiple_of(launch.local[d]);
        let mut attribute = "__kernel".to_string();
        if self.rng.percent(20) && (0..launch.local.len()).all(whole) {
            let size = |d: usize| launch.local.get(d).copied().unwrap_or(1);
            let [x, y, z] = [size(0), size(1), size(2)];
            attribute.push_str(&format!(
                " __attribute__((reqd_work_group_size({x}, {y}, {z})))"
            ));
        }
        if self.sub_groups {
            let size = self.rng.pick(&[4, 8, 16, 32]);
            attribute.push_str(&format!(
                " __attribute__((intel_reqd_sub_group_size({size})))"
            ));
        }
        let mut options = "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt".to_string();
        if self.rng.percent(8) {
            options.push_str(" -cl-opt-disable");
        }
        Program {
            options,
            attribute,
            args: self.args(items, group),
            launch,
            prelude,
            funcs,
        }
    }

    fn args(&mut self, items: usize, group: usize) -> Vec<String> {
        let seed = self.rng.below(1 << 20);
        let shift = 5 + self.rng.below(24);
        let hash = format!("((i+{seed})*2654435761*(i+{seed}+77)>>{shift})");
        let small = format!("i%3 == 0 ? i%7-3 : {hash}");
        let inputs = 256 + 4 * items;
        let cells = items * self.cells;
        vec![
            format!("ARG: buffer ulong[{items}] out"),
            format!("ARG: buffer int[{inputs}] = {small}"),
            format!("ARG: buffer float[{inputs}] = i%5 == 0 ? 0.0-i : ({hash}%2000-1000)*0.125"),
            format!("ARG: buffer uchar[{inputs}] = {hash}"),
            format!("ARG: buffer long[{inputs}] = i%2 == 0 ? {hash}*-99999 : i"),
            format!("ARG: buffer short[{inputs}] = {hash}"),
            format!("ARG: buffer {}[{cells}] = {hash}%100", self.soa.name()),
            format!("ARG: buffer {}[{cells}] = {hash}%100", self.aos.name()),
            format!("ARG: buffer uchar[{}] = 0", items * self.struct_size()),
            "ARG: buffer int[16] = i*3".to_string(),
            format!("ARG: buffer uint[{items}] = i"),
            format!("ARG: buffer {}[{items}] = {hash}%100", self.tile.name()),
            format!("ARG: local {}", 8 * group),
            "ARG: local 32".to_string(),
            "ARG: scalar int {n}".to_string(),
            "ARG: scalar float {f}".to_string(),
            "EXPECT: 0 as interpreted".to_string(),
            "EXPECT: 6 as interpreted".to_string(),
            "EXPECT: 7 as interpreted".to_string(),
            "EXPECT: 9 as interpreted".to_string(),
            "EXPECT: 10 as interpreted".to_string(),
            "EXPECT: 11 as interpreted".to_string(),
        ]
    }

    fn struct_size(&self) -> usize {
        let (mut at, mut align) = (0usize, 1);
        for (_, ty) in &self.fields {
            let size = ty.bits() as usize / 8;
            at = at.next_multiple_of(size) + size;
            align = align.max(size);
        }
        at.next_multiple_of(align)
    }

    fn kernel(&mut self, launch: &Launch) -> Func {
        self.kernel = true;
        self.meets = self.tiled || self.rng.percent(70);
        self.input = true;
        self.ret = None;
        let restrict = if self.rng.percent(30) {
            "restrict "
        } else {
            ""
        };
        let head = format!(
            "void k(__global ulong *out, __global const int *{restrict}in, \
             __global const float *fin, __global const uchar *bin,\n    \
             __global const long *lin, __constant short *con, __global {} *{restrict}soa, \
             __global {} *aos, __global struct S *st,\n    \
             __global int *acc, __global uint *cnt, __global {} *share, \
             __local {} *tile, __local int *la, int n, float f)",
            self.soa.name(),
            self.aos.name(),
            self.tile.name(),
            self.tile.name(),
        );
        let group = launch.local.iter().product();
        let first = self.ids(launch.local.len(), group);
        for (name, ty, uniform) in [
            ("n", INT, true),
            ("f", FLOAT, true),
            ("gid", UINT, false),
            ("lid", UINT, false),
            ("items", UINT, true),
            ("G", UINT, true),
        ] {
            self.declare(name, ty, uniform, matches!(name, "n" | "f"));
        }
        self.budget = match self.tiled {
            true => 2 + self.rng.below(7),
            false => 4 + self.rng.below(18),
        };
        let place = Place {
            uniform: true,
            depth: 0,
            around: Vec::new(),
            phase: false,
        };
        let mut body = self.variables();
        if self.tiled {
            body.extend(self.tiled(&place));
        }
        let count = match self.tiled {
            true => 1 + self.rng.below(4),
            false => 3 + self.rng.below(8),
        };
        self.statements(&place, count, &mut body);
        let mut last = Vec::new();
        for n in 0..self.vars.len() {
            if self.vars[n].assignable {
                let var = Expr::leaf(self.vars[n].ty, self.vars[n].name.clone());
                last.extend(self.observe(var));
            }
        }
        last.push(Stmt::new("out[gid] = h;", Vec::new()));
        Func {
            head,
            first,
            body,
            last,
        }
    }

    /// The linear ids in one of their many spellings, the hash, and shared memory in a known state.
    fn ids(&mut self, dims: usize, group: usize) -> Vec<String> {
        let x = self.rng.pick(&[
            "(get_global_id(0) - get_global_offset(0))",
            "(get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0))",
        ]);
        let (gid, lid, items, all) = match dims {
            1 => (
                x.to_string(),
                "get_local_id(0)",
                "get_local_size(0)",
                "get_global_size(0)",
            ),
            2 => (
                match self.rng.percent(30) {
                    // By columns.
                    true => {
                        format!(
                            "{x} * get_global_size(1) + get_global_id(1) - get_global_offset(1)"
                        )
                    }
                    false => format!(
                        "{x} + (get_global_id(1) - get_global_offset(1)) * get_global_size(0)"
                    ),
                },
                "get_local_id(1) * get_local_size(0) + get_local_id(0)",
                "get_local_size(0) * get_local_size(1)",
                "get_global_size(0) * get_global_size(1)",
            ),
            _ => (
                "get_global_linear_id()".to_string(),
                "get_local_linear_id()",
                "get_local_size(0) * get_local_size(1) * get_local_size(2)",
                "get_global_size(0) * get_global_size(1) * get_global_size(2)",
            ),
        };
        let lid = if self.rng.percent(30) {
            "get_local_linear_id()"
        } else {
            lid
        };
        let mut lines = vec![
            format!("const uint gid = {gid};"),
            format!("const uint lid = {lid};"),
            format!("const uint items = {items};"),
            format!("const uint G = {all};"),
            "ulong h = gid;".to_string(),
            format!("__local int own[{0}], col[{0}];", 256.max(4 * group)),
            "for (int z = 0; z < 4; z++) own[lid * 4 + z] = col[z * items + lid] = z;".to_string(),
        ];
        if self.meets {
            lines.extend([
                format!("tile[lid] = ({})0;", self.tile.name()),
                "for (uint z = lid; z < 8; z += items) la[z] = 0;".to_string(),
            ]);
            if self.tiled {
                lines.extend(self.tiles(group));
            }
            lines.push("barrier(CLK_LOCAL_MEM_FENCE);".to_string());
        } else if self.rng.percent(30) {
            lines.push("if (gid >= (uint)n) return;".to_string());
        }
        lines
    }

    /// Variables, arrays and structs to start with.
    fn variables(&mut self) -> Vec<Stmt> {
        let mut out = Vec::new();
        let place = Place {
            uniform: true,
            depth: 0,
            around: Vec::new(),
            phase: false,
        };
        for _ in 0..1 + self.rng.below(4) {
            out.extend(self.declaration(&place));
        }
        if self.rng.percent(35) {
            out.extend(self.private_array());
        }
        if self.rng.percent(25) {
            out.extend(self.private_struct());
        }
        out
    }

    /// A function without barriers, made before the kernel; it can call those before it.
    fn function(&mut self) -> Func {
        self.kernel = false;
        self.vars.clear();
        self.arrays.clear();
        self.structs.clear();
        let name = self.name("fn");
        let ret = self.any_type();
        let input = self.rng.percent(40);
        let array = self.rng.percent(30);
        let mut params = Vec::new();
        for _ in 0..1 + self.rng.below(3) {
            let ty = self.any_type();
            params.push(ty);
        }
        let mut list = Vec::new();
        if input {
            list.push("__global const int *in".to_string());
        }
        for (n, &ty) in params.iter().enumerate() {
            let name = format!("p{n}");
            list.push(format!("{} {name}", ty.name()));
            self.declare(&name, ty, false, true);
        }
        if array {
            list.push("int *cells".to_string());
            self.arrays.push(Array {
                name: "cells".to_string(),
                elem: INT,
                len: 8,
            });
        }
        self.input = input;
        self.ret = Some(ret);
        self.budget = 2 + self.rng.below(8);
        let place = Place {
            uniform: false,
            depth: 1,
            around: Vec::new(),
            phase: false,
        };
        let mut body = self.declaration(&place);
        let count = 1 + self.rng.below(5);
        self.statements(&place, count, &mut body);
        let result = self.expr(ret, false, 2);
        let last = vec![Stmt::new("return $0;", vec![result])];
        self.callees.push(Callee {
            name: name.clone(),
            ret,
            params,
            input,
            array,
        });
        self.vars.clear();
        self.arrays.clear();
        self.structs.clear();
        self.ret = None;
        Func {
            head: format!("{} {name}({})", ret.name(), list.join(", ")),
            first: Vec::new(),
            body,
            last,
        }
    }
}
