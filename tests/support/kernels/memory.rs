//! Random accesses to memory that others see: cells of the item's own, atomics, and meetings at barriers.

use super::r#gen::{Gen, Place};
use super::tree::{Expr, Stmt};
use super::types::*;

impl Gen {
    /// A store, a load back, an atomic, or a guarded access at a wild index.
    pub fn memory(&mut self, place: &Place) -> Vec<Stmt> {
        match self.rng.below(18) {
            // These keep groups from being joined.
            7 | 8 | 11 | 14 if self.tiled => self.store_cell(),
            12 | 13 => self.local_cell(),
            14 => self.chosen_pointer(),
            15 => self.half(),
            16 => self.walking_pointer(),
            17 => self.struct_array(),
            0..3 => self.store_cell(),
            3..5 => self.load_cell(),
            5..7 => self.structure(),
            7..9 => self.atomic(place),
            9 => self.guarded(),
            10 => self.gathering_loop(),
            _ => self.count(),
        }
    }

    /// A cell of the item: a place in `soa` or `aos`, and its type. `$0` may be an index.
    fn cell(&mut self) -> (String, Ty) {
        let k = self.cells;
        let fixed = self.rng.below(k);
        let index = match self.rng.percent(50) {
            true => format!("((uint)$0 % {k}u)"),
            false => format!("{fixed}u"),
        };
        match self.rng.below(7) {
            0 | 1 => (format!("soa[{index} * G + gid]"), self.soa),
            // An item's cells are those of its column; the last column counts from the end.
            2 => (format!("soa[{} * G - (G - gid)]", fixed + 1), self.soa),
            3 => (format!("soa[(int)gid + {fixed} * (int)G]"), self.soa),
            4 => (format!("aos[(long)gid * {k} + {index}]"), self.aos),
            5 => (format!("aos[(gid + 1) * {k} - 1 - {index}]"), self.aos),
            _ => (format!("aos[gid * {k} + {index}]"), self.aos),
        }
    }

    fn store_cell(&mut self) -> Vec<Stmt> {
        let (mut cell, ty) = self.cell();
        let index = self.expr(UINT, false, 2);
        let value = self.expr(ty, false, 3);
        if !self.tiled && self.rng.percent(10) {
            let space = format!("volatile __global {} *", ty.name());
            cell = format!("*({space})&{cell}");
        }
        let op = match self.rng.below(4) {
            0 => "+=",
            _ => "=",
        };
        if self.cells == 4 && self.rng.percent(20) {
            let ty = Ty::vector(self.aos.elem, 4);
            let value = self.expr(ty, false, 2);
            return vec![Stmt::new("vstore4($0, gid, aos);", vec![value])];
        }
        if self.cells == 2 && self.rng.percent(20) {
            let ty = Ty::vector(self.aos.elem, 2);
            let value = self.expr(ty, false, 2);
            let text = format!("((__global {} *)aos)[gid] = $0;", ty.name());
            return vec![Stmt::new(text, vec![value])];
        }
        vec![Stmt::new(format!("{cell} {op} $1;"), vec![index, value])]
    }

    fn load_cell(&mut self) -> Vec<Stmt> {
        let (cell, ty) = self.cell();
        let index = self.expr(UINT, false, 2);
        let name = self.name("v");
        self.declare(&name, ty, false, true);
        vec![Stmt::new(
            format!("{} {name} = {cell};", ty.name()),
            vec![index],
        )]
    }

    /// The item's element of an array of structs.
    fn structure(&mut self) -> Vec<Stmt> {
        let (field, ty) = self.fields[self.rng.below(self.fields.len())].clone();
        match self.rng.below(4) {
            0 | 1 => {
                let value = self.expr(ty, false, 2);
                vec![Stmt::new(format!("st[gid].{field} = $0;"), vec![value])]
            }
            2 if !self.structs.is_empty() => {
                let own = self.structs[self.rng.below(self.structs.len())].clone();
                let text = self.rng.pick(&["st[gid] = {};", "{} = st[gid];"]);
                vec![Stmt::new(text.replace("{}", &own), Vec::new())]
            }
            _ => {
                let name = self.name("v");
                self.declare(&name, ty, false, true);
                let text = format!("{} {name} = st[gid].{field};", ty.name());
                vec![Stmt::new(text, Vec::new())]
            }
        }
    }

    /// Cells 0 to 3 add, 4 is a minimum, 5 a maximum, 6 and 7 and, 8 and 9 or, 10 to 15 xor; `la` has 8 for adding.
    fn atomic(&mut self, place: &Place) -> Vec<Stmt> {
        let index = self.expr(UINT, false, 2);
        let value = self.expr(INT, false, 2);
        if place.phase || self.meets && self.rng.percent(20) {
            let text = self.rng.pick(&[
                "atomic_add(&la[$0 & 7u], $1);",
                "atomic_sub(&la[$0 & 7u], $1);",
                "atomic_inc(&la[$0 & 3u]);",
                "atomic_add(&la[2], $1);",
            ]);
            return vec![Stmt::new(text, vec![index, value])];
        }
        let text = self.rng.pick(&[
            "atomic_add(&acc[$0 & 3u], $1);",
            "atomic_sub(&acc[$0 & 3u], $1);",
            "atomic_inc(&acc[1]);",
            "atomic_dec(&acc[$0 & 1u]);",
            "atomic_min(&acc[4], $1);",
            "atomic_max(&acc[5], $1);",
            "atomic_and(&acc[6 + ($0 & 1u)], $1 | 0xff);",
            "atomic_or(&acc[8 + ($0 & 1u)], $1);",
            "atomic_xor(&acc[10 + ($0 & 3u)], $1);",
            "atomic_fetch_add_explicit((volatile __global atomic_int *)&acc[2], $1, \
             memory_order_relaxed, memory_scope_device);",
        ]);
        vec![Stmt::new(text, vec![index, value])]
    }

    /// An atomic on the item's own cell, of which the result is used.
    fn count(&mut self) -> Vec<Stmt> {
        let value = self.expr(UINT, false, 2);
        let name = self.name("v");
        self.declare(&name, UINT, false, true);
        let op = self.rng.pick(&[
            "atomic_add(&cnt[gid], $0)",
            "atomic_xchg(&cnt[gid], $0)",
            "atomic_inc(&cnt[gid])",
            "atomic_cmpxchg(&cnt[gid], gid, $0)",
            "atomic_max(&cnt[gid], $0)",
        ]);
        vec![Stmt::new(format!("uint {name} = {op};"), vec![value])]
    }

    /// The index is anything where the condition is false.
    fn guarded(&mut self) -> Vec<Stmt> {
        let name = self.name("x");
        let uniform = self.rng.percent(40);
        let index = match uniform {
            true => Expr::leaf(INT, "n"),
            false => self.expr(INT, false, 2),
        };
        let target = self.name("v");
        self.declare(&target, INT, false, true);
        let text = self.rng.pick(&[
            "if ({x} < 64u) {v} = in[{x}];",
            "if ({x} < 64u) {v} = in[{x} + gid];",
            "if ({x} < 64u) {v} = bin[{x}] + 1;",
            "if ({x} < 200u && in[{x}] > 3) {v} = in[{x}] / {x1};",
            "if ({x} != 0) {v} = 12345 / (int){x};",
            "if ({x} % 3 == gid % 3 && {x} < 64u) {v} = in[{x}];",
            "{v} = {x} < 99u ? in[{x}] : 5;",
        ]);
        let text = text.replace("{x1}", "((int){x} + 1)");
        let text = text.replace("{x}", &name).replace("{v}", &target);
        let text = format!("int {target} = 7;\n{{\nuint {name} = (uint)$0;\n{text}\n}}");
        vec![Stmt::new(text, vec![index])]
    }

    /// Cells of the item's own in local memory.
    fn local_cell(&mut self) -> Vec<Stmt> {
        let index = self.expr(UINT, false, 2);
        let cell = self.rng.pick(&[
            "own[lid * 4 + ($0 & 3u)]",
            "col[($0 & 3u) * items + lid]",
            "col[lid + 2 * items]",
            "own[lid * 4 + 1]",
        ]);
        if self.rng.percent(50) {
            let value = self.expr(INT, false, 2);
            return vec![Stmt::new(format!("{cell} = $1;"), vec![index, value])];
        }
        let name = self.name("v");
        self.declare(&name, INT, false, true);
        vec![Stmt::new(format!("int {name} = {cell};"), vec![index])]
    }

    /// A pointer that items choose, to read or to write.
    fn chosen_pointer(&mut self) -> Vec<Stmt> {
        let cond = self.condition(false, 2);
        let name = self.name("v");
        let (t, last) = (self.soa.name(), self.cells - 1);
        let (text, exprs) = match self.rng.below(4) {
            0 => {
                let text = format!(
                    "int {name};\n{{\n__global const int *q = $0 ? in : in + ($1 & 31u);\n\
                     {name} = q[$2 & 63u];\n}}"
                );
                let (a, b) = (self.expr(UINT, false, 1), self.expr(UINT, false, 2));
                self.declare(&name, INT, false, true);
                (text, vec![cond, a, b])
            }
            1 => {
                let text = format!(
                    "{{\n__global {t} *w = $0 ? &soa[gid] : &soa[{last} * G + gid];\n*w = $1;\n}}"
                );
                (text, vec![cond, self.expr(self.soa, false, 2)])
            }
            2 => {
                let text = "{\n__local int *w = $0 ? &own[lid * 4] : &own[lid * 4 + 2];\n\
                            *w ^= $1;\n}"
                    .to_string();
                (text, vec![cond, self.expr(INT, false, 2)])
            }
            _ => {
                let text = format!(
                    "{t} {name};\n{{\n__global {t} *w = soa + gid;\nif ($0) w += {last} * G;\n\
                     {name} = *w;\n}}"
                );
                self.declare(&name, self.soa, false, true);
                (text, vec![cond])
            }
        };
        vec![Stmt::new(text, exprs)]
    }

    /// 16-bit floats in memory.
    fn half(&mut self) -> Vec<Stmt> {
        let bits = self.tile.bits();
        if bits >= 16 && self.rng.percent(50) {
            let value = self.expr(FLOAT, false, 2);
            let step = bits / 16;
            let text = format!(
                "{{ float y = $0; vstore_half(isnan(y) ? 1.0f : y, gid * {step}, (__global half *)share); }}"
            );
            return vec![Stmt::new(text, vec![value])];
        }
        let index = self.expr(UINT, false, 2);
        let name = self.name("v");
        self.declare(&name, FLOAT, false, true);
        let text = self.rng.pick(&[
            "vload_half($0 & 127u, (__global const half *)bin)",
            "vload_half(gid, (__global const half *)bin)",
            "vload_half2(gid, (__global const half *)bin).s1",
        ]);
        vec![Stmt::new(format!("float {name} = {text};"), vec![index])]
    }

    /// A pointer as a loop's counter.
    fn walking_pointer(&mut self) -> Vec<Stmt> {
        let from = self.expr(UINT, false, 2);
        let length = self.expr(UINT, false, 2);
        let name = self.name("v");
        self.declare(&name, INT, false, true);
        let step = self.rng.pick(&["p++", "p += 2", "++p"]);
        let text = format!(
            "int {name} = 1;\n{{\n__global const int *end = in + ($0 & 63u) + ($1 & 15u);\n\
             for (__global const int *p = in + ($0 & 63u); p < end; {step}) {{\n\
             {name} = {name} ^ *p;\nif (*p == 3) break;\n}}\n}}"
        );
        vec![Stmt::new(text, vec![from, length])]
    }

    /// A private array of structs.
    fn struct_array(&mut self) -> Vec<Stmt> {
        let (field, ty) = self.fields[self.rng.below(self.fields.len())].clone();
        let (a, b) = (self.expr(UINT, false, 2), self.expr(UINT, false, 2));
        let value = self.expr(ty, false, 2);
        let name = self.name("v");
        let t = ty.name();
        self.declare(&name, ty, false, true);
        let text = format!(
            "{t} {name};\n{{\nstruct S sa[4];\nfor (int z = 0; z < 4; z++) sa[z].{field} = ({t})(gid + z);\n\
             sa[$0 & 3u].{field} = $2;\n{name} = sa[$1 & 3u].{field};\n}}"
        );
        vec![Stmt::new(text, vec![a, b, value])]
    }

    /// A row of its own for each item, as in a sparse matrix.
    fn gathering_loop(&mut self) -> Vec<Stmt> {
        let from = self.expr(UINT, false, 2);
        let length = self.expr(UINT, false, 2);
        let (name, j) = (self.name("v"), self.name("j"));
        let body = self.rng.pick(&[
            "{v} += in[{j}];",
            "{v} += in[bin[{j}]] * 3;",
            "if (in[{j}] < 0) continue;\n{v} ^= in[{j}] + (int){j};",
            "if (bin[{j}] == 7) break;\n{v} = {v} * 3 + bin[{j}];",
            "{v} += (int)lin[{j}] >> 3;",
        ]);
        let body = body.replace("{v}", &name).replace("{j}", &j);
        self.declare(&name, INT, false, true);
        let ty = self.rng.pick(&["uint", "int", "long", "ushort", "size_t"]);
        let text = format!(
            "int {name} = 0;\n{{\nconst {ty} first = $0 & 127u;\nconst {ty} end = first + ($1 & 15u);\n\
             for ({ty} {j} = first; {j} < end; {j}++) {{\n{body}\n}}\n}}"
        );
        vec![Stmt::new(text, vec![from, length])]
    }

    /// A call of a work-group or sub-group function on `$0`, and whether it gives all items of the group the same. Sums of
    /// floating-point numbers go by one order everywhere; of their least and greatest the sign of a zero may not.
    fn collective(&mut self, step: usize) -> (String, bool) {
        let op = match self.tile.is_float() {
            true => "add",
            false => self.rng.pick(&["add", "min", "max"]),
        };
        let form = self
            .rng
            .pick(&["reduce", "scan_inclusive", "scan_exclusive"]);
        let whole = self.rng.percent(50);
        if whole {
            let ty = match self.tile.name().as_str() {
                "char" | "short" => "(int)",
                "uchar" | "ushort" => "(uint)",
                _ => "",
            };
            return (format!("work_group_{form}_{op}({ty}$0)"), form == "reduce");
        }
        self.sub_groups = true;
        let call = match self.rng.below(6) {
            0 => format!("sub_group_shuffle($0, lid * {}u)", step % 8),
            1 => format!("sub_group_shuffle_xor($0, {}u)", step % 4),
            2 => format!("sub_group_broadcast($0, {}u)", step % 8),
            3 => "popcount(sub_group_ballot($0 != 0).x)".to_string(),
            _ => format!("sub_group_{form}_{op}($0)"),
        };
        (call, false)
    }

    /// Items give each other values over barriers.
    pub fn meeting(&mut self, place: &Place) -> Vec<Stmt> {
        let tile = self.tile;
        let t = tile.name();
        let value = self.expr(tile, false, 3);
        let step = self.rng.below(70);
        let name = self.name("v");
        let local = "barrier(CLK_LOCAL_MEM_FENCE);";
        let global = "barrier(CLK_GLOBAL_MEM_FENCE);";
        let mut uniform = false;
        if self.tiled && (self.tiles[0].busy || self.rng.percent(60)) {
            return self.tiled(place);
        }
        let (text, exprs): (String, Vec<Expr>) = match self.rng.below(14) {
            10..14 if self.tiled => return self.tiled(place),
            11 | 12 => {
                let (call, one) = self.collective(step);
                uniform = one;
                (format!("{t} {name} = ({t}){call};"), vec![value])
            }
            0 | 1 => (
                format!(
                    "tile[lid] = $0;\n{local}\n{t} {name} = tile[(lid + {step}) % items];\n{local}"
                ),
                vec![value],
            ),
            2 => {
                let cond = self.condition(false, 2);
                let index = self.expr(UINT, false, 2);
                (
                    format!(
                        "if ($1) tile[lid] = $0;\n{local}\n{t} {name} = tile[$2 % items];\n{local}"
                    ),
                    vec![value, cond, index],
                )
            }
            3 => {
                uniform = true;
                (
                    format!(
                        "tile[lid] = $0;\n{local}\nfor (uint s = 64; s > 0; s >>= 1) {{\n\
                         if (lid < s && lid + s < items) tile[lid] += tile[lid + s];\n{local}\n}}\n\
                         {t} {name} = tile[0];\n{local}"
                    ),
                    vec![value],
                )
            }
            4 => (
                format!(
                    "tile[lid] = $0;\n{local}\nfor (uint s = 1; s < items; s *= 2) {{\n\
                     {t} before = lid >= s ? tile[lid - s] : ({t})0;\n{local}\n\
                     tile[lid] += before;\n{local}\n}}\n{t} {name} = tile[lid];\n{local}"
                ),
                vec![value],
            ),
            5 => {
                let from = match self.linear {
                    true => format!("gid - lid + (lid + {step}) % items"),
                    false => "gid".to_string(),
                };
                let text =
                    format!("share[gid] = $0;\n{global}\n{t} {name} = share[{from}];\n{global}");
                (text, vec![value])
            }
            6 => {
                uniform = true;
                (
                    format!(
                        "tile[lid] = $0;\n{local}\nif (lid == 0) {{\nfor (uint s = 1; s < items; s++) \
                         tile[0] = tile[0] * ({t})3 + tile[s];\n}}\n{local}\n{t} {name} = tile[0];\n{local}"
                    ),
                    vec![value],
                )
            }
            7 => (
                format!(
                    "{t} {name} = pass(tile, $0, lid, (lid ^ {}) % items);",
                    step % 8
                ),
                vec![value],
            ),
            8 => (
                // Both address spaces at once, by the work-group barrier of OpenCL C 2.0.
                format!(
                    "tile[items - 1 - lid] = $0;\n\
                     work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n\
                     {t} {name} = tile[lid];\n{local}"
                ),
                vec![value],
            ),
            9 => (format!("{local}\n{t} {name} = $0;"), vec![value]),
            _ => return self.phase(place),
        };
        // What a group has together is not the same for all groups.
        self.declare(&name, tile, uniform && !self.tiled, true);
        vec![Stmt::new(text, exprs)]
    }

    /// Atomics on local memory between two barriers; then all read it.
    fn phase(&mut self, place: &Place) -> Vec<Stmt> {
        let mut inner = place.clone();
        inner.phase = true;
        inner.uniform = false;
        inner.around.clear();
        inner.depth += 1;
        let marks = (self.vars.len(), self.arrays.len(), self.structs.len());
        let mut block = self.atomic(&inner);
        let count = 1 + self.rng.below(3);
        self.statements(&inner, count, &mut block);
        self.vars.truncate(marks.0);
        self.arrays.truncate(marks.1);
        self.structs.truncate(marks.2);
        let name = self.name("v");
        let index = self.expr(UINT, false, 1);
        self.declare(&name, INT, false, true);
        let text = format!(
            "barrier(CLK_LOCAL_MEM_FENCE);\nfor (uint z = lid; z < 8; z += items) la[z] = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n@0\n\
             barrier(CLK_LOCAL_MEM_FENCE);\nint {name} = la[$0 & 7u];\nbarrier(CLK_LOCAL_MEM_FENCE);"
        );
        vec![Stmt::with_blocks(text, vec![index], vec![block])]
    }
}
