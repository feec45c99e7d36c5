//! Device-side enqueue (OpenCL C 3.0, 6.15.18): index spaces, and calls of the runtime.
//!
//! A block that is enqueued becomes a kernel: its record is the first argument, by value; the images and samplers in it follow once
//! more as arguments, since code is made for those of a launch, and then its local arguments.
//! The kernel's name is no name that a source can give; the runtime finds it by that.

use super::block::{Block, Used, after};
use super::capture::{Capture, field_of};
use super::convert::Context;
use super::typename::arg_quals;
use super::{Sema, ast, hir, value};
use crate::front::source::Loc;
use crate::front::types::{Field, Opaque, QualType, Record, TypeId, TypeKind};
use crate::ir::abi::DeviceRange;
use crate::ir::{AddrSpace, DeviceOp};
use std::mem::offset_of;

impl Sema<'_> {
    /// `ndrange_t`: laid out as [`DeviceRange`].
    pub(super) fn ndrange_type(&mut self) -> TypeId {
        if let Some(known) = self.ndrange {
            return known;
        }
        let (uint, ulong) = (self.types.basics.uint, self.types.basics.ulong);
        let sizes = self.types.array(QualType::private(ulong), Some(3));
        let field = |ty, offset: usize| Field {
            name: None,
            ty: QualType::private(ty),
            offset: offset as u64,
            bits: None,
        };
        let record = self.types.new_record(Record {
            name: "ndrange_t".into(),
            is_union: false,
            complete: true,
            fields: vec![
                field(uint, offset_of!(DeviceRange, dimensions)),
                field(uint, offset_of!(DeviceRange, has_local)),
                field(sizes, offset_of!(DeviceRange, offset)),
                field(sizes, offset_of!(DeviceRange, global)),
                field(sizes, offset_of!(DeviceRange, local)),
            ],
            size: size_of::<DeviceRange>() as u64,
            align: align_of::<DeviceRange>() as u64,
        });
        let ty = self.types.intern(TypeKind::Record(record));
        *self.ndrange.insert(ty)
    }

    /// A call of a function of this chapter; none if it is not one.
    pub(super) fn call_device(
        &mut self,
        name: &str,
        args: &[ast::ExprId],
        loc: Loc,
    ) -> Option<hir::Expr> {
        let basics = self.types.basics;
        let event = basics.clk_event;
        let global = QualType::in_space(basics.void, AddrSpace::Global);
        let (op, params, ret): (DeviceOp, Vec<TypeId>, TypeId) = match name {
            "ndrange_1D" => return Some(self.ndrange(1, name, args, loc)),
            "ndrange_2D" => return Some(self.ndrange(2, name, args, loc)),
            "ndrange_3D" => return Some(self.ndrange(3, name, args, loc)),
            "enqueue_kernel" => return Some(self.enqueue_kernel(args, loc)),
            "enqueue_marker" => return Some(self.enqueue_marker(args, loc)),
            "get_kernel_work_group_size" => {
                return Some(self.kernel_query(DeviceOp::WorkGroupSize, name, args, loc));
            }
            "get_kernel_preferred_work_group_size_multiple" => {
                let op = DeviceOp::PreferredWorkGroupSizeMultiple;
                return Some(self.kernel_query(op, name, args, loc));
            }
            "get_kernel_max_sub_group_size_for_ndrange" => {
                return Some(self.kernel_query(DeviceOp::MaxSubGroupSize, name, args, loc));
            }
            "get_kernel_sub_group_count_for_ndrange" => {
                return Some(self.kernel_query(DeviceOp::SubGroupCount, name, args, loc));
            }
            "get_default_queue" => (DeviceOp::DefaultQueue, vec![], basics.queue),
            "retain_event" => (DeviceOp::RetainEvent, vec![event], basics.void),
            "release_event" => (DeviceOp::ReleaseEvent, vec![event], basics.void),
            "create_user_event" => (DeviceOp::CreateUserEvent, vec![], event),
            "is_valid_event" => (DeviceOp::IsValidEvent, vec![event], basics.bool),
            "set_user_event_status" => {
                let params = vec![event, basics.int];
                (DeviceOp::SetUserEventStatus, params, basics.void)
            }
            "capture_event_profiling_info" => {
                let values = self.types.pointer(global);
                let params = vec![event, basics.int, values];
                (DeviceOp::CaptureProfilingInfo, params, basics.void)
            }
            _ => return None,
        };
        if args.len() != params.len() {
            return Some(self.wrong_count(name, params.len(), args.len(), loc));
        }
        let args = args.iter().zip(params).map(|(&arg, ty)| {
            let arg = self.rvalue(arg);
            self.coerce(arg, ty, Context::Argument)
        });
        let args = args.collect();
        Some(self.device(op, args, ret, loc))
    }

    fn wrong_count(&mut self, name: &str, expected: usize, have: usize, loc: Loc) -> hir::Expr {
        let text = format!(
            "invalid number of arguments to function '{name}': expected {expected}, have {have}"
        );
        self.fail(loc, text)
    }

    fn device(&mut self, op: DeviceOp, args: Vec<hir::Expr>, ret: TypeId, loc: Loc) -> hir::Expr {
        if args.iter().any(|arg| self.types.is_error(arg.ty)) {
            return self.error_expr(loc);
        }
        if self.func.is_none() {
            return self.fail(loc, "initializer element is not a compile-time constant");
        }
        value(ret, loc, hir::ExprKind::Device { op, args })
    }

    /// ndrange_1D and its kin: global sizes, with local sizes, or with an offset in front.
    fn ndrange(
        &mut self,
        dimensions: u64,
        name: &str,
        args: &[ast::ExprId],
        loc: Loc,
    ) -> hir::Expr {
        let range = self.ndrange_type();
        if self.func.is_none() {
            return self.fail(loc, "initializer element is not a compile-time constant");
        }
        if !(1..=3).contains(&args.len()) {
            return self.wrong_count(name, 1, args.len(), loc);
        }
        let places = [
            offset_of!(DeviceRange, offset),
            offset_of!(DeviceRange, global),
            offset_of!(DeviceRange, local),
        ];
        let given = match args.len() {
            1 => &places[1..2],
            2 => &places[1..3],
            _ => &places[..],
        };
        let (uint, ulong) = (self.types.basics.uint, self.types.basics.ulong);
        let var = self.new_named_var("ndrange".into(), QualType::private(range), 1, loc);
        self.mark_used(var);
        let set = |ty: TypeId, offset: u64, what: hir::Expr| {
            let assign = hir::ExprKind::Assign {
                place: Box::new(field_of(var, range, ty, offset, loc)),
                value: Box::new(what),
            };
            value(ty, loc, assign)
        };
        let constant = |ty: TypeId, bits: u64| value(ty, loc, hir::ExprKind::Int(bits));
        let mut setup = vec![
            set(
                uint,
                offset_of!(DeviceRange, dimensions) as u64,
                constant(uint, dimensions),
            ),
            set(
                uint,
                offset_of!(DeviceRange, has_local) as u64,
                constant(uint, u64::from(args.len() > 1)),
            ),
        ];
        for place in places {
            let rest = u64::from(place != places[0]);
            let known = given.iter().position(|&p| p == place);
            let mut sizes = Vec::new();
            if let Some(n) = known {
                sizes = self.range_sizes(dimensions, name, args[n]);
                if sizes.iter().any(|size| self.types.is_error(size.ty)) {
                    return self.error_expr(loc);
                }
            }
            while sizes.len() < 3 {
                sizes.push(constant(ulong, rest));
            }
            for (n, size) in sizes.into_iter().enumerate() {
                setup.push(set(ulong, (place + 8 * n) as u64, size));
            }
        }
        let whole = hir::Place {
            ty: QualType::private(range),
            loc,
            kind: hir::PlaceKind::Var(var),
        };
        let whole = value(range, loc, hir::ExprKind::Load(Box::new(whole)));
        after(setup, whole)
    }

    /// One size, or the elements of an array of them.
    fn range_sizes(&mut self, dimensions: u64, name: &str, arg: ast::ExprId) -> Vec<hir::Expr> {
        let ulong = self.types.basics.ulong;
        if dimensions == 1 {
            let size = self.rvalue(arg);
            return vec![self.coerce(size, ulong, Context::Argument)];
        }
        let mut out = Vec::new();
        for n in 0..dimensions {
            // An argument of this kind is a name: it may be evaluated more than once.
            let array = self.rvalue(arg);
            let loc = array.loc;
            let Some(to) = self.types.pointee(array.ty).filter(|to| to.ty == ulong) else {
                if !self.types.is_error(array.ty) {
                    let text = format!(
                        "'{name}' takes arrays of {dimensions} 'size_t', not {}",
                        self.quoted(array.ty)
                    );
                    self.error(loc, text);
                }
                return vec![self.error_expr(loc)];
            };
            let long = self.types.basics.long;
            let at = hir::ExprKind::PtrAdd {
                ptr: Box::new(array),
                index: Box::new(value(long, loc, hir::ExprKind::Int(n))),
                size: 8,
            };
            let pointer = self.types.pointer(to);
            let place = hir::Place {
                ty: to,
                loc,
                kind: hir::PlaceKind::Deref(Box::new(value(pointer, loc, at))),
            };
            out.push(value(ulong, loc, hir::ExprKind::Load(Box::new(place))));
        }
        out
    }

    /// enqueue_kernel in all its forms.
    fn enqueue_kernel(&mut self, args: &[ast::ExprId], loc: Loc) -> hir::Expr {
        let basics = self.types.basics;
        let at = [3, 6]
            .into_iter()
            .find(|&n| args.get(n).is_some_and(|&arg| self.is_block(arg)));
        let Some(at) = at else {
            let text =
                "illegal call to enqueue_kernel: a block is expected as fourth or seventh argument";
            return self.fail(loc, text);
        };
        let mut values = vec![
            self.argument(args[0], basics.queue),
            self.argument(args[1], basics.int),
            self.range_argument(args[2]),
        ];
        let pointer = self.events_pointer(true);
        let out = self.events_pointer(false);
        match at {
            3 => {
                values.push(value(basics.uint, loc, hir::ExprKind::Int(0)));
                values.push(value(pointer, loc, hir::ExprKind::Int(0)));
                values.push(value(out, loc, hir::ExprKind::Int(0)));
            }
            _ => {
                values.push(self.argument(args[3], basics.uint));
                values.push(self.argument(args[4], pointer));
                values.push(self.argument(args[5], out));
            }
        }
        let Some(Some(Used { block, setup })) = self.block_operand(args[at]) else {
            return self.error_expr(loc);
        };
        let Block {
            ret,
            params,
            captures,
            captured,
            ..
        } = self.blocks[block].clone();
        let sizes = &args[at + 1..];
        // "void (^block)(local void *, ...)", and a size for each of these.
        let is_local = |p: &QualType| {
            let to = self.types.pointee(p.ty);
            to.is_some_and(|to| to.space == AddrSpace::Local && self.types.is_void(to.ty))
        };
        if !self.types.is_void(ret) || !params.iter().all(is_local) {
            let text = "illegal call to enqueue_kernel: the block must return void and take only 'local void *'";
            return self.fail(loc, text);
        }
        if sizes.len() != params.len() {
            let text = format!(
                "mismatch in number of block parameters and local size arguments passed: {} and {}",
                params.len(),
                sizes.len()
            );
            return self.fail(loc, text);
        }
        self.check_captures(&captured, loc);
        values.push(self.kernel_name(block, loc));
        values.push(self.record_address(block, loc));
        let size = self.types.size(captures);
        values.push(value(basics.ulong, loc, hir::ExprKind::Int(size)));
        if let Some((record, _)) = self.blocks[block].record {
            for (ty, offset) in self.captured_objects(captures) {
                let place = field_of(record, captures, ty, offset, loc);
                values.push(value(ty, loc, hir::ExprKind::Load(Box::new(place))));
            }
        }
        for &size in sizes {
            values.push(self.argument(size, basics.uint));
        }
        let call = self.device(DeviceOp::EnqueueKernel, values, basics.int, loc);
        after(setup, call)
    }

    /// "Blocks passed to enqueue_kernel cannot use global variables or stack variables local to the enclosing lexical scope that are a
    /// pointer type in the local or private address space": that memory is gone when the block runs.
    fn check_captures(&mut self, captured: &[Capture], loc: Loc) {
        for capture in captured {
            let ty = capture.ty;
            if ty.space == AddrSpace::Local {
                let text = "an enqueued block cannot use a variable in the local address space of the kernel around it";
                self.error(loc, text);
                return;
            }
            let is_array = matches!(self.types.kind(ty.ty), TypeKind::Array(..));
            let leads_to = match self.types.pointee(ty.ty) {
                _ if is_array => ty.space,
                Some(to) => to.space,
                None => continue,
            };
            if matches!(leads_to, AddrSpace::Local | AddrSpace::Private) {
                let text = format!(
                    "an enqueued block captures {}, which leads to memory that is gone when it runs",
                    self.quoted(ty.ty)
                );
                self.warning(loc, text);
            }
        }
    }

    /// The images and samplers in a record, and their places.
    fn captured_objects(&self, captures: TypeId) -> Vec<(TypeId, u64)> {
        let TypeKind::Record(id) = self.types.kind(captures) else {
            return Vec::new();
        };
        let fields = self.types.record(*id).fields.iter();
        let is_object = |ty| {
            matches!(
                self.types.kind(ty),
                TypeKind::Opaque(Opaque::Image(..) | Opaque::Sampler)
            )
        };
        fields
            .map(|field| (field.ty.ty, field.offset))
            .filter(|&(ty, _)| is_object(ty))
            .collect()
    }

    fn enqueue_marker(&mut self, args: &[ast::ExprId], loc: Loc) -> hir::Expr {
        if args.len() != 4 {
            return self.wrong_count("enqueue_marker", 4, args.len(), loc);
        }
        let basics = self.types.basics;
        let (pointer, out) = (self.events_pointer(true), self.events_pointer(false));
        let values = vec![
            self.argument(args[0], basics.queue),
            self.argument(args[1], basics.uint),
            self.argument(args[2], pointer),
            self.argument(args[3], out),
        ];
        self.device(DeviceOp::EnqueueMarker, values, basics.int, loc)
    }

    fn kernel_query(
        &mut self,
        op: DeviceOp,
        name: &str,
        args: &[ast::ExprId],
        loc: Loc,
    ) -> hir::Expr {
        let takes_range = matches!(op, DeviceOp::MaxSubGroupSize | DeviceOp::SubGroupCount);
        let expected = 1 + usize::from(takes_range);
        if args.len() != expected {
            return self.wrong_count(name, expected, args.len(), loc);
        }
        let Some(block) = self.block_operand(args[expected - 1]) else {
            return self.fail(loc, format!("'{name}' takes a block"));
        };
        let Some(Used { block, .. }) = block else {
            return self.error_expr(loc);
        };
        let mut values = vec![self.kernel_name(block, loc)];
        if takes_range {
            values.push(self.range_argument(args[0]));
        }
        self.device(op, values, self.types.basics.uint, loc)
    }

    fn argument(&mut self, arg: ast::ExprId, ty: TypeId) -> hir::Expr {
        let arg = self.rvalue(arg);
        self.coerce(arg, ty, Context::Argument)
    }

    /// A pointer to events in any memory.
    fn events_pointer(&mut self, is_const: bool) -> TypeId {
        let event = self.types.basics.clk_event;
        self.types.pointer(QualType {
            is_const,
            ..QualType::in_space(event, AddrSpace::Generic)
        })
    }

    /// The address of an index space.
    fn range_argument(&mut self, arg: ast::ExprId) -> hir::Expr {
        let range = self.ndrange_type();
        let whole = self.rvalue(arg);
        let loc = whole.loc;
        if whole.ty != range {
            if self.types.is_error(whole.ty) {
                return whole;
            }
            let text = format!(
                "passing {} to parameter of type 'ndrange_t'",
                self.quoted(whole.ty)
            );
            return self.fail(loc, text);
        }
        let place = self.temp(whole);
        let pointer = self.types.pointer(QualType::private(range));
        value(pointer, loc, hir::ExprKind::AddrOf(Box::new(place)))
    }

    /// The address of the name of the kernel that a block is.
    fn kernel_name(&mut self, block: usize, loc: Loc) -> hir::Expr {
        let global = match self.blocks[block].kernel {
            Some(global) => global,
            None => self.block_kernel(block, loc),
        };
        let char = QualType {
            is_const: true,
            ..QualType::in_space(self.types.basics.char, AddrSpace::Constant)
        };
        let pointer = self.types.pointer(char);
        let place = hir::Place {
            ty: self.program.globals[global.0 as usize].ty,
            loc,
            kind: hir::PlaceKind::Global(global),
        };
        value(pointer, loc, hir::ExprKind::AddrOf(Box::new(place)))
    }

    /// Makes the kernel.
    fn block_kernel(&mut self, number: usize, loc: Loc) -> hir::GlobalId {
        let block = self.blocks[number].clone();
        let name = format!(".enqueued.{:016x}.{number}", self.names.fingerprint());
        let void = self.types.basics.void;
        let mut params = Vec::new();
        if self.types.size(block.captures) > 0 {
            params.push(QualType::private(block.captures));
        }
        let objects = self.captured_objects(block.captures);
        params.extend(objects.iter().map(|&(ty, _)| QualType::private(ty)));
        params.extend(&block.params);
        let symbol = self.signatures[block.func.0 as usize].name;
        let id = self.new_function(symbol, void, params.clone(), true, false, loc);
        let local = |n: usize, ty: TypeId| {
            let place = hir::Place {
                ty: QualType::private(ty),
                loc,
                kind: hir::PlaceKind::Var(hir::VarId(n as u32)),
            };
            Box::new(place)
        };
        let leads = self.types.pointer(QualType {
            is_const: true,
            ..QualType::private(block.captures)
        });
        let first_local = params.len() - block.params.len();
        let has_record = first_local > 0;
        let record = match has_record {
            true => hir::ExprKind::AddrOf(local(0, block.captures)),
            false => hir::ExprKind::Int(0),
        };
        let mut args = vec![value(leads, loc, record)];
        for (n, param) in block.params.iter().enumerate() {
            let from = local(first_local + n, param.ty);
            args.push(value(param.ty, loc, hir::ExprKind::Load(from)));
        }
        let call = hir::ExprKind::Call {
            func: block.func,
            args,
        };
        self.calls.push((id, block.func, loc));
        let kernel = hir::KernelInfo {
            params: params.iter().map(|&ty| arg_quals(self, ty)).collect(),
            ..hir::KernelInfo::default()
        };
        let objects = objects.iter().enumerate().map(|(n, &(ty, offset))| {
            let place = field_of(hir::VarId(0), block.captures, ty, offset, loc);
            let object = hir::ExprKind::Load(local(1 + n, ty));
            let assign = hir::ExprKind::Assign {
                place: Box::new(place),
                value: Box::new(value(ty, loc, object)),
            };
            value(ty, loc, assign)
        });
        let call = after(objects.collect(), value(void, loc, call));
        let aligns: Vec<u64> = params.iter().map(|p| self.types.align(p.ty)).collect();
        let function = &mut self.program.functions[id.0 as usize];
        function.name.clone_from(&name);
        function.kernel = Some(kernel);
        function.params = (0..params.len()).map(|n| hir::VarId(n as u32)).collect();
        function.vars = params
            .iter()
            .zip(aligns)
            .map(|(&ty, align)| hir::Var {
                name: String::new(),
                loc,
                ty,
                align,
            })
            .collect();
        function.body = Some(vec![hir::Stmt {
            loc,
            kind: hir::StmtKind::Expr(call),
        }]);
        let global = self.string_global(name.into_bytes());
        self.blocks[number].kernel = Some(global);
        global
    }
}
