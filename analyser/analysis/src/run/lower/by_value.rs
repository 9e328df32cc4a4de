//! Finds objects that GPUs read as constants: structures that arguments give by value, if nothing writes to them, and
//! tables of the program. Buffers that arguments point to as constant are read as global ones are (machine code of the
//! suite for an H200, driver 580.159.04, 2026-11-28).

use std::collections::HashMap;

use crate::{
    llvm::Space,
    run::{BUFFER_SHIFT, ObjectKind, Program, alias_classes::AliasClasses, memory::TABLES},
};

/// A class of objects: their number, and whether something writes there.
#[derive(Default)]
struct Class {
    objects: usize,
    is_written: bool,
}

pub(super) fn constants(program: &mut Program) {
    let mut classes = AliasClasses::new(program, &[]);
    let buffers = program
        .objects
        .iter()
        .filter(|it| it.space == Space::Constant && matches!(it.kind, ObjectKind::Argument(_)));
    let buffers: Vec<u32> = buffers.map(|it| classes.find(it.address)).collect();
    for (access, class) in program.accesses.iter_mut().zip(&classes.of_access) {
        if access.space == Space::Constant && buffers.contains(class) {
            access.space = Space::Global;
        }
    }
    let mut uses: HashMap<u32, Class> = HashMap::new();
    for object in &program.objects {
        let class = classes.find(object.address);
        uses.entry(class).or_default().objects += 1;
    }
    for (access, class) in program.accesses.iter().zip(&classes.of_access) {
        uses.entry(*class).or_default().is_written |= access.kind.writes();
    }
    for place in 0..program.objects.len() {
        let object = &mut program.objects[place];
        let class = classes.find(object.address);
        let alone = (uses.get(&class)).is_some_and(|it| it.objects == 1 && !it.is_written);
        if !alone || !matches!(object.kind, ObjectKind::ByValue { .. }) {
            continue;
        }
        object.space = Space::Constant;
        let start = (TABLES + place as u64) << BUFFER_SHIFT;
        for (slot, holds) in &mut program.constants {
            if *slot == object.address {
                *holds = start;
            }
        }
        for (access, its_class) in program.accesses.iter_mut().zip(&classes.of_access) {
            if *its_class == class {
                access.space = Space::Constant;
            }
        }
    }
}
