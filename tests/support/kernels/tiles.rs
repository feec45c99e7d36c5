//! Kernels whose groups can be joined (`workgroup::sharing`): loops that fill local arrays with what depends on some of the
//! group's numbers, meet, and read them; variables that change places from round to round.
//!
//! A tile is busy between the barriers around its use, and nothing else touches it then. Before a loop of these it is
//! filled whole.

use super::super::rng::Rng;
use super::r#gen::{Around, Exit, Gen, Place};
use super::tree::{Block, Expr, Launch, Stmt};
use super::types::*;

/// Seeds from here on make such kernels.
pub const FIRST: u64 = 1 << 32;

/// A local array, of one element or more for each item.
#[derive(Clone)]
pub struct Tile {
    pub name: String,
    pub elem: Ty,
    pub per_item: usize,
    pub busy: bool,
}

const LOCALS: [&[usize]; 12] = [
    &[16],
    &[16],
    &[32],
    &[64],
    &[16, 4],
    &[16, 4],
    &[8, 8],
    &[32, 2],
    &[32, 4],
    &[4, 4],
    &[16, 16],
    &[16, 1],
];

const MEET: &str = "barrier(CLK_LOCAL_MEM_FENCE);";

pub fn launch(rng: &mut Rng) -> Launch {
    let local = rng.pick(&LOCALS).to_vec();
    let mut global = Vec::new();
    for (d, &size) in local.iter().enumerate() {
        let groups = match d {
            0 => rng.pick(&[1, 2, 2, 2, 4, 4]),
            _ => rng.pick(&[1, 2, 2, 4]),
        };
        let short = if size > 1 && rng.percent(3) {
            rng.below(size)
        } else {
            0
        };
        global.push(size * groups - short);
    }
    let mut local = local;
    if local.len() == 2 && rng.percent(10) {
        local.push(1);
        global.push(2);
    }
    let offset = local.iter().map(|_| match rng.percent(15) {
        true => rng.pick(&[1, 3, 16, 64]),
        false => 0,
    });
    Launch {
        offset: offset.collect(),
        global,
        local,
        n: rng.below(64) as i64,
        f: "1.5".to_string(),
    }
}

impl Gen {
    /// The arrays and how they are filled at the start, before a barrier.
    pub fn tiles(&mut self, group: usize) -> Vec<String> {
        let mut lines = Vec::new();
        let arg = self.tile;
        self.tiles.push(Tile {
            name: "tile".to_string(),
            elem: arg,
            per_item: 1,
            busy: false,
        });
        for _ in 0..1 + self.rng.below(3) {
            let mut elem = Ty::scalar(self.rng.pick(&ELEMS));
            if self.rng.percent(20) {
                elem.lanes = self.rng.pick(&[2, 4]);
            }
            let per_item = self.rng.pick(&[1, 1, 2]);
            let name = self.name("tl");
            let t = elem.name();
            lines.push(format!("__local {t} {name}[{}];", group * per_item));
            let start = self.rng.pick(&[
                "z",
                "0",
                "z + get_group_id(0)",
                "z + get_group_id(1)",
                "n",
                "in[z & 63]",
            ]);
            lines.push(format!(
                "for (uint z = lid; z < {per_item} * items; z += items) {name}[z] = ({t})({start});"
            ));
            self.tiles.push(Tile {
                name,
                elem,
                per_item,
                busy: false,
            });
        }
        lines
    }

    /// A place in a tile that is the item's own: no two items have one place by the same text.
    fn own_place(&mut self, tile: &Tile) -> String {
        let n = self.rng.below(8);
        let place = match self.rng.below(8) {
            0 => "(items - 1 - lid)".to_string(),
            1 => format!("((lid + {n}u) % items)"),
            2 => "((lid + (uint)rd) % items)".to_string(),
            3 => "(get_local_id(0) * get_local_size(1) + get_local_id(1))".to_string(),
            4 => "((lid + (uint)get_group_id(0)) % items)".to_string(),
            _ => "lid".to_string(),
        };
        match tile.per_item {
            1 => place,
            _ => match self.rng.below(3) {
                0 => format!("({place} * 2 + {})", n % 2),
                1 => format!("({place} + ((uint)rd & 1u) * items)"),
                _ => format!("({place} + {} * items)", n % 2),
            },
        }
    }

    /// A number that depends on some of group, item and round.
    fn partly(&mut self, depth: usize) -> Expr {
        let c = self.rng.below(40);
        let text = match self.rng.below(22) {
            0 | 1 => "(int)lid".to_string(),
            2 => "(int)get_local_id(0)".to_string(),
            3 => "(int)get_local_id(1)".to_string(),
            4 => "(int)get_group_id(0)".to_string(),
            5 => "(int)get_group_id(1)".to_string(),
            6 => "(int)get_global_id(0)".to_string(),
            7 => "(int)get_global_id(1)".to_string(),
            8 | 9 => "rd".to_string(),
            10 => "n".to_string(),
            11 => format!("{c}"),
            12 => "(int)(get_group_id(0) * get_local_size(0) + get_local_id(0))".to_string(),
            13 => "(int)get_local_linear_id()".to_string(),
            14 => "(int)get_num_groups(0)".to_string(),
            15 => {
                return match self.rng.percent(50) {
                    true => self.expr(INT, true, 1),
                    false => self.leaf(INT, false),
                };
            }
            16 => "(int)get_global_linear_id()".to_string(),
            _ if depth == 0 => "(int)lid".to_string(),
            17 => {
                let (a, b) = (self.partly(depth - 1), self.partly(depth - 1));
                let c = self.partly(depth - 1);
                let text = self
                    .rng
                    .pick(&["($0 > $1 ? $2 : 7)", "(($0 & 1) ? $1 : $2)"]);
                return Expr::new(INT, text, vec![a, b, c]);
            }
            _ => {
                let a = self.partly(depth - 1);
                let b = self.partly(depth - 1);
                let text = self.rng.pick(&[
                    "in[($0 + $1 * 16) & 255]",
                    "in[$0 & 63]",
                    "(($0 & 0xffff) + ($1 & 0xff) * 3)",
                    "($0 ^ $1)",
                    "(int)bin[($0 * 4 + $1) & 255]",
                    "($0 & $1)",
                    "con[$0 & 31]",
                    "table[$0 & 7]",
                ]);
                let text = text.replace("$0 * 4 + $1", "($0 & 0xff) * 4 + ($1 & 0xff)");
                let text = text.replace("$0 + $1 * 16", "($0 & 0xff) + ($1 & 0xff) * 16");
                return Expr::new(INT, text, vec![a, b]);
            }
        };
        Expr::leaf(INT, format!("({text})"))
    }

    fn free_tiles(&self) -> Vec<usize> {
        (0..self.tiles.len())
            .filter(|&n| !self.tiles[n].busy)
            .collect()
    }

    /// What fills a tile, between two barriers.
    fn fill(&mut self, tile: &Tile) -> Stmt {
        let (name, t) = (tile.name.clone(), tile.elem.name());
        let place = self.own_place(tile);
        let value = self.partly(2);
        let other = self.partly(2);
        let local = match self.rng.percent(30) {
            true => self.expr(tile.elem, false, 2),
            false => Expr::new(tile.elem, format!("(({t})($0))"), vec![value.clone()]),
        };
        let text = match self.rng.below(12) {
            0 => format!("if ($1 > $2) {name}[{place}] = $0;"),
            1 => format!("if ($1 & 1) {name}[{place}] = $0; else {name}[{place}] = ({t})($2);"),
            2 => format!(
                "for (uint z = lid; z < {} * items; z += items) {name}[z] = ({t})(in[(z + rd * 16) & 255]);",
                tile.per_item
            ),
            3 => format!(
                "{{ int s = 0; for (int z = 0; z < ($1 & 7); z++) s += in[(z + lid) & 63] & 0xffff; {name}[{place}] = ({t})s; }}"
            ),
            4 => format!(
                "{{ int s = $1 & 15, r = 0; while (s > 0) {{ s -= 3; r++; }} {name}[{place}] = ({t})(r + s); }}"
            ),
            5 => format!(
                "switch ($1 & 3) {{ case 0: {name}[{place}] = $0; break; case 1: break; default: {name}[{place}] = ({t})($2); }}"
            ),
            6 => format!(
                "if (lid == 0) for (uint z = 0; z < items; z++) {name}[z] = ({t})((int)z + ($1 & 0xfff));"
            ),
            7 => format!(
                "{{ int p[4]; for (int z = 0; z < 4; z++) p[z] = ($1 & 0xffff) + z; {name}[{place}] = ({t})p[$2 & 3]; }}"
            ),
            8 => format!(
                "if (get_local_id(1) == 0 && $1 < 40) {name}[get_local_id(0)] = ({t})(in[($2 & 0xff) + get_local_id(0)]);"
            ),
            _ => format!("{name}[{place}] = $0;"),
        };
        let text = match self.rng.below(12) {
            // Read what the round before has left.
            0 if text.starts_with(&name) => format!("{name}[{place}] ^= $0;"),
            _ => text,
        };
        let text = match tile.elem.is_float() {
            true => text.replace("^=", "+="),
            false => text,
        };
        Stmt::new(format!("{{ (void)rd; {text} }}"), vec![local, value, other])
    }

    /// What reads a tile, into `acc`.
    fn drain(&mut self, tile: &Tile, acc: &str) -> Stmt {
        let name = tile.name.clone();
        let len = format!("({} * items)", tile.per_item);
        let index = match self.rng.percent(50) {
            true => self.partly(1),
            false => self.expr(INT, false, 1),
        };
        let read = |index: &str| match tile.elem.is_vector() {
            true => format!("{name}[{index}].s1"),
            false => format!("{name}[{index}]"),
        };
        let word = |text: String| match tile.elem.elem {
            Elem::F32 => format!("fbits({text})"),
            Elem::F64 => format!("(uint)dbits({text})"),
            _ => format!("(uint){text}"),
        };
        let at = |index: &str| word(read(index));
        let text = match self.rng.below(8) {
            0 | 1 => format!(
                "for (uint z = 0; z < 8; z++) {acc} += {} * (z + 1) + {};",
                at(&format!("(get_local_id(1) * 8 + z) % {len}")),
                at(&format!(
                    "(z * get_local_size(0) + get_local_id(0)) % {len}"
                ))
            ),
            2 => format!(
                "for (uint z = 0; z < {len}; z++) {acc} = {acc} * 3 + {};",
                at("z")
            ),
            3 => format!(
                "if ($0 & 1) {acc} += {};",
                at(&format!("(lid + 1) % {len}"))
            ),
            4 => format!("{acc} ^= {};", at(&format!("(items - 1 - lid) % {len}"))),
            _ => format!(
                "{acc} = {acc} * 31 + {};",
                at(&format!("(uint)($0) % {len}"))
            ),
        };
        Stmt::new(format!("{{ (void)rd; {text} }}"), vec![index])
    }

    /// A loop, or one round, of filling and reading tiles.
    pub fn tiled(&mut self, place: &Place) -> Vec<Stmt> {
        let free = self.free_tiles();
        if free.is_empty() {
            return Vec::new();
        }
        let mut used = vec![free[self.rng.below(free.len())]];
        for n in free {
            if self.rng.percent(50) && !used.contains(&n) {
                used.push(n);
            }
        }
        for &n in &used {
            self.tiles[n].busy = true;
        }
        // Jumps out of it would leave tiles without a barrier.
        let strict = self.rng.percent(60);
        let mut inner = place.clone();
        inner.depth += 1;
        inner.around.clear();
        if !strict {
            inner.around.push(Around {
                uniform: true,
                exit: Exit::Loop,
            });
        }
        let acc = self.name("acc");
        let marks = (self.vars.len(), self.arrays.len(), self.structs.len());
        let mut before = vec![Stmt::new(
            format!("uint {acc} = (uint)$0;"),
            vec![self.leaf(INT, false)],
        )];
        // What changes places.
        let ty = self.any_type();
        let mut turning = Vec::new();
        for _ in 0..self.rng.below(4) {
            let name = self.name("t");
            let value = self.expr(ty, false, 2);
            before.push(Stmt::new(
                format!("{} {name} = $0;", ty.name()),
                vec![value],
            ));
            self.declare(&name, ty, false, true);
            turning.push(name);
        }
        let bound = match self.rng.percent(50) {
            true => Expr::leaf(INT, self.rng.pick(&["2", "3", "4"])),
            false => self.expr(INT, true, 2),
        };
        // Inside, the tile's own places are named by `rd`, so that what uses them can't be moved out.
        self.declare("rd", INT, true, false);
        let mut fills = Vec::new();
        self.inside_tiled(&mut fills, |this, block| {
            this.sometimes(&inner, block);
            for &n in &used {
                let tile = this.tiles[n].clone();
                if this.rng.percent(85) {
                    let fill = this.fill(&tile);
                    block.push(fill);
                }
                this.sometimes_apart(&inner, block);
            }
        });
        let mut drains = Vec::new();
        self.inside_tiled(&mut drains, |this, block| {
            for &n in &used {
                let tile = this.tiles[n].clone();
                if this.rng.percent(15) && !tile.elem.is_vector() {
                    // In place, each item its own.
                    let t = tile.elem.name();
                    let value = this.partly(1);
                    let name = &tile.name;
                    let text = format!(
                        "{{ (void)rd; {name}[lid] = ({t})({name}[lid] ^ ({t})($0 & 7)); {MEET} }}"
                    );
                    let text = match tile.elem.is_float() {
                        true => text.replace(" ^ ", " + "),
                        false => text,
                    };
                    block.push(Stmt::new(text, vec![value]));
                }
            }
            for &n in &used {
                let tile = this.tiles[n].clone();
                for _ in 0..1 + this.rng.below(2) {
                    let drain = this.drain(&tile, &acc);
                    block.push(drain);
                }
            }
            this.sometimes(&inner, block);
            if let Some(turn) = this.turn(ty, &turning) {
                block.push(turn);
            }
        });
        let mut behind = Vec::new();
        self.inside_tiled(&mut behind, |this, block| {
            if this.rng.percent(20) {
                this.sometimes(&inner, block);
            }
        });
        self.vars.truncate(marks.0 + turning.len());
        self.arrays.truncate(marks.1);
        self.structs.truncate(marks.2);
        for &n in &used {
            self.tiles[n].busy = false;
        }
        let first = if strict { "" } else { MEET };
        let round = format!("{{\n{first}\n@0\n{MEET}\n@1\n{MEET}\n@2\n}}");
        let form = match self.rng.below(6) {
            0 => format!("{{ int rd = 0; do {round} while (++rd < ($0 & 3)); }}"),
            1 if strict => {
                format!("{{ int rd = 0; while (1) {{ {round}\nif (++rd >= ($0 & 3)) break; }} }}")
            }
            2 if strict => format!("{{ int rd = 1; {round} }}"),
            3 => format!("for (int rd = ($0 & 3); rd >= 0; rd--) {round}"),
            _ => format!("for (int rd = 0; rd <= ($0 & 3); rd++) {round}"),
        };
        let mut out = before;
        out.push(Stmt::with_blocks(
            format!("{form}\n{MEET}"),
            vec![bound],
            vec![fills, drains, behind],
        ));
        self.declare(&acc, UINT, false, true);
        out
    }

    /// Some variables change places.
    fn turn(&mut self, ty: Ty, turning: &[String]) -> Option<Stmt> {
        let [first, .., last] = turning else {
            return None;
        };
        let mut text = format!("{} o = {first};", ty.name());
        for pair in turning.windows(2) {
            text.push_str(&format!(" {} = {};", pair[0], pair[1]));
        }
        text.push_str(&format!(" {last} = o;"));
        let cond = self.partly(1);
        let text = match self.rng.below(3) {
            0 => format!("if ($0 & 1) {{ {text} }}"),
            _ => format!("{{ {text} }}"),
        };
        Some(Stmt::new(text, vec![cond]))
    }

    /// Makes a block of its own.
    fn inside_tiled(&mut self, block: &mut Block, make: impl FnOnce(&mut Gen, &mut Block)) {
        let marks = (self.vars.len(), self.arrays.len(), self.structs.len());
        make(self, block);
        self.vars.truncate(marks.0);
        self.arrays.truncate(marks.1);
        self.structs.truncate(marks.2);
    }

    fn sometimes(&mut self, place: &Place, block: &mut Block) {
        if self.rng.percent(35) {
            let count = 1 + self.rng.below(2);
            self.statements(place, count, block);
        }
    }

    /// A statement in which nobody meets.
    fn sometimes_apart(&mut self, place: &Place, block: &mut Block) {
        if self.rng.percent(20) {
            let mut inner = place.clone();
            inner.uniform = false;
            inner.around.clear();
            self.statements(&inner, 1, block);
        }
    }
}
