//! Blocks where lanes that part at a branch reconverge.

use super::{
    BlockId, Program, Refusal,
    dominators::{immediate, ways},
    loops::{Loop, Loops},
};

/// Sets the block where lanes that part in each block meet.
pub(super) fn find_reconvergence(program: &mut Program) -> Result<(), Refusal> {
    let (follows, precedes) = ways(program);
    // The exit of all is behind the last block.
    let exit = program.blocks.len();
    let (_, last) = immediate(&precedes, &follows, exit, &mut 0)?;
    let id = |place: usize| u32::try_from(place).ok().map(BlockId);
    for (at, block) in program.blocks.iter_mut().enumerate() {
        block.meets = id(last[at]).filter(|_| last[at] < exit);
    }
    let mut steps = 0;
    for Loop { blocks, header, .. } in Loops::find(program, &mut steps)?.all {
        // Blocks by their places in the loop, and behind them the end of an iteration, where the next begins.
        let end = blocks.len();
        let mut stays: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        let mut comes: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for (at, block) in blocks.iter().enumerate() {
            for way in &follows[*block] {
                let place = match blocks.binary_search(way) {
                    Ok(_) if *way == header => end,
                    Ok(place) => place,
                    Err(_) => continue,
                };
                stays[at].push(place);
                comes[place].push(at);
            }
        }
        let (_, last) = immediate(&comes, &stays, end, &mut steps)?;
        for (at, block) in blocks.iter().enumerate() {
            let place = blocks.get(last[at]).copied().unwrap_or(header);
            let block = &mut program.blocks[*block];
            let is_new =
                |it: &BlockId| Some(*it) != block.meets && block.meets_in_loops.last() != Some(it);
            if stays[at].len() > 1
                && let Some(place) = id(place).filter(is_new)
            {
                block.meets_in_loops.push(place);
            }
        }
    }
    Ok(())
}
