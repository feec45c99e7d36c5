//! Pipe functions (OpenCL C 3.0, 6.15.13): who takes which packets is the library's (`builtins/pipe.cl`), packets are
//! copied here, where their type is known.

use super::super::super::hir::{Expr, PipeKind, PipeOp};
use super::super::function::FunctionLowerer;
use crate::ir::abi::PipeHeader;
use crate::ir::types::{I32, I64};
use crate::ir::{
    AddrSpace, BinaryOp, BlockCall, Collective, FenceFlags, IntCC, MemScope, Team, Terminator,
    Type, Value, WorkItemQuery,
};
use std::mem::offset_of;

const DONE: u64 = 0;
const FAILED: u64 = u32::MAX as u64;

impl<'m> FunctionLowerer<'_, 'm> {
    /// The result, if the function has one.
    pub(in crate::front::lower) fn pipe(
        &mut self,
        PipeOp { kind, writes }: PipeOp,
        args: &'m [Expr],
    ) -> Option<Value> {
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg)).collect();
        let pipe = values[0];
        Some(match kind {
            PipeKind::Packet => {
                let one = self.b.iconst(I32, 1);
                let id = self.reserve(pipe, one, writes);
                let first = self.b.iconst(I32, 0);
                let size = self.packet_size(args);
                self.one_packet(pipe, (id, first), values[1], size, writes, true)
            }
            PipeKind::Reserved => {
                let (place, size) = ((values[1], values[2]), self.packet_size(args));
                self.one_packet(pipe, place, values[3], size, writes, false)
            }
            PipeKind::Reserve(None) => self.reserve(pipe, values[1], writes),
            PipeKind::Reserve(Some(team)) => self.reserve_together(team, pipe, values[1], writes),
            PipeKind::Commit(None) => {
                self.commit(pipe, values[1], writes);
                return None;
            }
            PipeKind::Commit(Some(team)) => {
                self.commit_together(team, pipe, values[1], writes);
                return None;
            }
            PipeKind::NumPackets => self
                .call_library("__clo_pipe_packets(__global void *)", vec![pipe], Some(I32))
                .expect("it has a result"),
            PipeKind::MaxPackets => {
                let offset = self
                    .b
                    .iconst(I64, offset_of!(PipeHeader, max_packets) as u64);
                let place = self.b.ptr_add(pipe, offset);
                self.b.load(I32, place, 4, false)
            }
        })
    }

    /// Size and alignment of what the last argument leads to, in bytes.
    fn packet_size(&self, args: &'m [Expr]) -> (u64, u32) {
        let address = args.last().expect("a packet's address").ty;
        let packet = self.types.pointee(address).expect("a pointer").ty;
        (
            self.types.size(packet),
            self.align32(self.types.align(packet)),
        )
    }

    /// The id of a reservation of so many packets, or 0.
    fn reserve(&mut self, pipe: Value, count: Value, writes: bool) -> Value {
        let name = format!(
            "__clo_pipe_reserve_{}(__global void *,uint)",
            suffix(writes)
        );
        self.call_library(&name, vec![pipe, count], Some(I64))
            .expect("it has a result")
    }

    fn commit(&mut self, pipe: Value, id: Value, writes: bool) {
        let name = format!(
            "__clo_pipe_commit_{}(__global void *,ulong)",
            suffix(writes)
        );
        self.call_library(&name, vec![pipe, id], None);
    }

    /// Copies a packet of a reservation, and commits that if asked to; 0, or a negative number if there is no such packet.
    fn one_packet(
        &mut self,
        pipe: Value,
        (id, index): (Value, Value),
        address: Value,
        (size, align): (u64, u32),
        writes: bool,
        commits: bool,
    ) -> Value {
        let name = "__clo_pipe_packet(__global void *,ulong,uint)";
        let global = Type::ptr(AddrSpace::Global);
        let packet = self
            .call_library(name, vec![pipe, id, index], Some(global))
            .expect("it has a result");
        let null = self.b.iconst(global, 0);
        let is_there = self.b.icmp(IntCC::Ne, packet, null);
        let (copies, after) = (self.b.add_block(), self.b.add_block());
        let result = self.b.func.add_param(after, I32);
        let failed = self.b.iconst(I32, FAILED);
        self.b
            .branch(is_there, (copies, Vec::new()), (after, vec![failed]));
        self.b.switch_to(copies);
        match writes {
            true => self.b.memcpy(packet, address, size, align),
            false => self.b.memcpy(address, packet, size, align),
        }
        if commits {
            self.commit(pipe, id, writes);
        }
        let done = self.b.iconst(I32, DONE);
        self.b.jump(after, vec![done]);
        self.b.switch_to(after);
        result
    }

    /// The first work-item of the team reserves; all get the id.
    fn reserve_together(&mut self, team: Team, pipe: Value, count: Value, writes: bool) -> Value {
        let is_first = self.is_first(team);
        let (reserves, joins) = (self.b.add_block(), self.b.add_block());
        let own = self.b.func.add_param(joins, I64);
        let none = self.b.iconst(I64, 0);
        self.b
            .branch(is_first, (reserves, Vec::new()), (joins, vec![none]));
        self.b.switch_to(reserves);
        let id = self.reserve(pipe, count, writes);
        self.b.jump(joins, vec![id]);
        self.b.switch_to(joins);
        let next = self.b.add_block();
        let result = self.b.func.add_param(next, I64);
        let line = self.b.loc().line;
        self.b.terminate(Terminator::Collective {
            team,
            op: Collective::Reduce(BinaryOp::UMax),
            args: vec![own],
            line,
            next: call(next),
        });
        self.b.switch_to(next);
        result
    }

    /// All have done what they do with the packets before the first work-item of the team commits.
    fn commit_together(&mut self, team: Team, pipe: Value, id: Value, writes: bool) {
        let (meets, commits, after) = (self.b.add_block(), self.b.add_block(), self.b.add_block());
        let line = self.b.loc().line;
        self.b.terminate(Terminator::Barrier {
            team,
            flags: FenceFlags {
                global: true,
                ..FenceFlags::default()
            },
            scope: match team {
                Team::Group => MemScope::WorkGroup,
                _ => MemScope::SubGroup,
            },
            line,
            next: call(meets),
        });
        self.b.switch_to(meets);
        let is_first = self.is_first(team);
        self.b
            .branch(is_first, (commits, Vec::new()), (after, Vec::new()));
        self.b.switch_to(commits);
        self.commit(pipe, id, writes);
        self.b.jump(after, Vec::new());
        self.b.switch_to(after);
    }

    fn is_first(&mut self, team: Team) -> Value {
        let query = match team {
            Team::Group => WorkItemQuery::LocalLinearId,
            _ => WorkItemQuery::SubGroupLocalId,
        };
        let place = self.b.work_item(query, 0);
        let zero = self.b.iconst(I64, 0);
        self.b.icmp(IntCC::Eq, place, zero)
    }
}

fn suffix(writes: bool) -> &'static str {
    if writes { "write" } else { "read" }
}

fn call(block: crate::ir::Block) -> BlockCall {
    BlockCall {
        block,
        args: Vec::new(),
    }
}
