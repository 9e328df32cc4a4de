//! Buffers, several queues, events and pinned memory, on this machine's first OpenCL device.

use std::{sync::Arc, thread};

use kerncast_opencl::{Buffer, Context, Event, Image, OpenClDevice, OpenClError, Queue, devices};

/// `all[i]` = `all[i]` · 3 + 1, `rounds` times: many are slow.
const SOURCE: &str = "
kernel void advance(global uint *all, uint rounds) {
    uint it = all[get_global_id(0)];
    for (uint round = 0; round < rounds; ++round)
        it = it * 3 + 1;
    all[get_global_id(0)] = it;
}";
const ITEMS: usize = 4096;
const BYTES: usize = 4 * ITEMS;
/// A launch of tens of milliseconds, which a command that does not wait overtakes.
const SLOW: u32 = 100_000;

fn device() -> OpenClDevice {
    devices().expect("an OpenCL device").remove(0)
}

fn context() -> Context {
    device().context().expect("a context")
}

fn stepped(before: u32, rounds: u32) -> u32 {
    (0..rounds).fold(before, |it, _| it.wrapping_mul(3).wrapping_add(1))
}

fn bytes(number: u32) -> Vec<u8> {
    number.to_ne_bytes().repeat(ITEMS)
}

/// `rounds` steps of every number of `buffer`, which may be gone for its owner.
fn step(queue: &Queue, buffer: Arc<Buffer>, rounds: u32, after: &[&Event]) -> Event {
    let items = buffer.bytes() / 4;
    let program = queue.context().build(SOURCE, "").expect("builds");
    let mut function = program.function("advance").expect("the function");
    function.set_buffer(0, buffer).expect("a buffer");
    let rounds = rounds.to_ne_bytes();
    function.set_scalar(1, &rounds).expect("a scalar");
    queue
        .launch(&function, &[items], &[64], after)
        .expect("launched")
}

fn read(queue: &Queue, buffer: &Buffer) -> Vec<u8> {
    let mut into = vec![0; buffer.bytes()];
    queue.read(buffer, &mut into).expect("read");
    into
}

#[test]
fn an_argument_outlives_its_owner() {
    let queue = context().queue().expect("a queue");
    let buffer = Arc::new(queue.buffer(&bytes(5)).expect("a buffer"));
    let program = queue.context().build(SOURCE, "").expect("builds");
    let mut function = program.function("advance").expect("the function");
    function.set_scalar(1, &1_u32.to_ne_bytes()).expect("set");
    function.set_buffer(0, buffer.clone()).expect("set");
    let argument = Arc::downgrade(&buffer);
    drop((buffer, program));

    let launched = queue.launch(&function, &[ITEMS], &[64], &[]);
    launched.expect("launched").wait().expect("it ran");
    let argument_buffer = argument.upgrade().expect("the function keeps it");
    assert_eq!(read(&queue, &argument_buffer), bytes(16));
    // Until it is given another one.
    drop(argument_buffer);
    let other = queue.buffer(&bytes(7)).expect("a buffer");
    function.set_buffer(0, other.into()).expect("set");
    assert!(argument.upgrade().is_none());
}

#[test]
fn queues_wait_for_each_others_events() {
    let context = context();
    let [write, compute, copy] = [(); 3].map(|()| context.queue().expect("a queue"));
    let numbers = Arc::new(context.buffer(BYTES).expect("a buffer"));
    let result = context.buffer(BYTES).expect("a buffer");
    write
        .fill(&result, 0, &[])
        .expect("filled")
        .wait()
        .expect("ended");

    let mut pinned = write.pinned(BYTES).expect("pinned");
    pinned.copy_from_slice(&bytes(1));
    let transfer = write.write_pinned(pinned, &numbers, 0..BYTES, &[]);
    let transfer = transfer.expect("enqueued");
    write.flush().expect("flushed");
    let launched = step(&compute, numbers.clone(), SLOW, &[transfer.event()]);
    compute.flush().expect("flushed");
    let copied = copy.copy(&numbers, &result, &[&launched]);
    let copied = copied.expect("enqueued");
    copied.wait().expect("ended");
    assert_eq!(read(&copy, &result), bytes(stepped(1, SLOW)));

    let [write, compute, copy] =
        [transfer.event(), &launched, &copied].map(|event| event.start_and_end().expect("times"));
    assert!(
        write.0 <= write.1 && write.1 <= compute.0,
        "{write:?} {compute:?}"
    );
    assert!(compute.1 - compute.0 > 100_000, "took {compute:?}");
    assert!(
        compute.1 <= copy.0 && copy.0 <= copy.1,
        "{compute:?} {copy:?}"
    );
}

#[test]
fn a_transfer_does_not_block_and_keeps_its_memory() {
    let context = context();
    let (compute, transfer) = (context.queue().expect("one"), context.queue().expect("two"));
    let numbers = Arc::new(compute.buffer(&bytes(1)).expect("a buffer"));
    let pinned = transfer.pinned(BYTES).expect("pinned");
    assert!(pinned.iter().all(|byte| *byte == 0));

    let launched = step(&compute, numbers.clone(), SLOW, &[]);
    compute.flush().expect("flushed");
    let reading = transfer.read_pinned(&numbers, 0..BYTES, pinned, &[&launched]);
    let reading = reading.expect("enqueued");
    // It can't have ended: what it waits for has not.
    assert!(reading.event().start_and_end().is_err());
    let pinned = reading.wait().expect("ended");
    assert_eq!(pinned[..], bytes(stepped(1, SLOW)));

    // Dropped, it waits: nobody writes to memory that is gone, or goes on reading from it.
    let launched = step(&compute, numbers.clone(), SLOW, &[]);
    compute.flush().expect("flushed");
    drop(transfer.read_pinned(&numbers, 0..BYTES, pinned, &[&launched]));
    assert!(launched.start_and_end().is_ok());
}

#[test]
fn pinned_memory_goes_to_any_part_of_a_buffer_and_from_thread_to_thread() {
    let queue = context().queue().expect("a queue");
    let buffer = queue.buffer(&bytes(0)).expect("a buffer");
    let pinned = queue.pinned(512).expect("pinned");
    let filled = thread::spawn(move || {
        let mut pinned = pinned;
        pinned.fill(9);
        pinned
    });
    let filled = filled.join().expect("filled");
    let transfer = queue.write_pinned(filled, &buffer, 1000..1100, &[]);
    let filled = transfer.expect("enqueued").wait().expect("ended");
    let all = read(&queue, &buffer);
    let nines = |range: std::ops::Range<usize>| all[range].iter().all(|byte| *byte == 9);
    assert!(nines(1000..1100) && all[999] == 0 && all[1100] == 0);

    let back = queue.read_pinned(&buffer, 900..1050, filled, &[]);
    let back = back.expect("enqueued").wait().expect("ended");
    assert_eq!(back[..150], all[900..1050]);
    assert_eq!(back[150..], [9; 362], "beyond the range it stays as it was");
}

#[test]
fn parts_of_pinned_memory_go_by_themselves_and_the_whole_waits_for_them() {
    let queue = context().queue().expect("a queue");
    let buffer = queue.buffer(&bytes(0)).expect("a buffer");
    let mut whole = queue.pinned(1024).expect("pinned");
    let mut parts = whole.parts([512, 256]);
    parts[0].fill(1);
    parts[1].fill(2);
    let part = parts.pop().expect("the second");
    let transfer = queue.write_pinned(part, &buffer, 100..356, &[]);
    drop(transfer.expect("enqueued").wait().expect("ended"));
    let reading = queue.read_pinned(&buffer, 99..355, parts.remove(0), &[]);
    let access = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| whole[0]));
    assert!(access.is_err(), "a part is still there");
    drop(reading);
    assert_eq!(whole[..2], [0, 2]);
    assert_eq!((whole[255], whole[256]), (2, 1));
    assert_eq!((whole[767], whole[768]), (2, 0));
}

#[test]
fn a_buffer_is_written_read_and_copied_in_part() {
    let queue = context().queue().expect("a queue");
    let buffer = queue.buffer(&[0; 64]).expect("a buffer");
    queue.write_at(&buffer, 60, &[1, 2, 3]).expect("written");
    assert_eq!(read(&queue, &buffer)[59..], [0, 1, 2, 3, 0]);
    let other = queue.buffer(&[7; 100]).expect("a buffer");
    let copied = queue.copy_first(62, &buffer, &other, &[]);
    copied.expect("enqueued").wait().expect("ended");
    assert_eq!(read(&queue, &other)[59..64], [0, 1, 2, 7, 7]);
}

#[test]
fn too_large_a_buffer_is_out_of_memory() {
    let refused = context().buffer(1 << 50).err().expect("a petabyte");
    assert!(refused.is_out_of_memory(), "{refused}");
}

#[test]
fn what_a_compiler_refuses_and_what_is_missing_is_said() {
    let context = context();
    let refused = context.build("kernel void f(global int *a) { a = b; }", "");
    assert!(
        matches!(refused.err(), Some(OpenClError::Build(log)) if log.contains('b')),
        "the compiler's words"
    );
    let missing = context.build(SOURCE, "").expect("builds").function("walk");
    assert_eq!(
        missing.err().expect("no such function").to_string(),
        "there is no OpenCL function `walk` in the source; it has: advance"
    );
}

#[test]
fn a_scalar_is_no_buffer() {
    let program = context().build(SOURCE, "").expect("builds");
    let mut function = program.function("advance").expect("the function");
    assert!(function.set_scalar(0, &[7; 8]).is_err());
    assert!(function.set_scalar(1, &[7; 8]).is_err(), "of 4 bytes");
    assert!(function.set_local(1, 64).is_err());
}

#[test]
fn images_are_written_copied_read_and_told_from_buffers() {
    let device = device();
    assert!(device.facts.largest_image.is_some(), "it has images");
    let context = device.context().expect("a context");
    let queue = context.queue().expect("a queue");
    let image = |written| {
        context
            .image("rgba_unorm_int8", [6, 5], written)
            .expect("an image")
    };
    let (picture, to) = (Arc::new(image(false)), Arc::new(image(true)));
    assert_eq!(picture.bytes(), 4 * 6 * 5);
    let pixels: Vec<u8> = (0..120).collect();
    queue.write_image(&picture, &pixels).expect("written");

    let source = "
kernel void mirror(read_only image2d_t from, sampler_t how, write_only image2d_t to, global int *buffer) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(from));
    write_imagef(to, at, read_imagef(from, how, (float2)(1 - place.x, place.y)));
}";
    let program = context.build(source, "").expect("builds");
    let mut mirror = program.function("mirror").expect("the function");
    let sampler = || {
        context
            .sampler(true, "clamp_to_edge", "nearest")
            .expect("it")
    };
    mirror.set_image(0, picture.clone()).expect("an image");
    mirror.set_sampler(1, sampler()).expect("a sampler");
    mirror.set_image(2, to.clone()).expect("an image");
    let buffer = Arc::new(context.buffer(64).expect("a buffer"));
    mirror.set_buffer(3, buffer.clone()).expect("a buffer");
    queue
        .launch(&mirror, &[6, 5], &[1, 1], &[])
        .expect("launched");
    let read_image = |image: &Image| {
        let mut into = vec![0; image.bytes()];
        queue.read_image(image, &mut into).expect("read");
        into
    };
    let rows = pixels.chunks(24);
    let mirrored: Vec<u8> = rows
        .flat_map(|row| row.rchunks(4).flatten().copied())
        .collect();
    assert_eq!(read_image(&to), mirrored);
    queue.copy_image(&picture, &to).expect("copied");
    assert_eq!(read_image(&to), pixels);

    // Each is refused where another is expected: a driver would follow any handle.
    assert!(mirror.set_image(3, picture.clone()).is_err());
    assert!(mirror.set_image(1, picture).is_err());
    assert!(mirror.set_sampler(0, sampler()).is_err());
    assert!(mirror.set_buffer(0, buffer.clone()).is_err());
    assert!(mirror.set_buffer(1, buffer).is_err());
    assert!(mirror.set_scalar(1, &[0; 8]).is_err());
    // No device has it: OpenCL gives this order 8 bits a channel.
    let refused = context
        .image("bgra_float", [4, 4], false)
        .err()
        .expect("no such image");
    let message = refused.to_string();
    assert!(
        message.contains("no image of bgra_float that is read; it has")
            && message.contains("rgba_float"),
        "{message}"
    );
}

#[test]
fn lent_memory_is_worked_on_where_it_lies_and_then_no_more() {
    let context = context();
    let queue = context.queue().expect("a queue");
    let mut function = context
        .build(SOURCE, "")
        .and_then(|program| program.function("advance"))
        .expect("a function");
    let mut all = bytes(7);
    let mut lent_buffer = None;
    let enqueued = queue.lend(&[], &mut [&mut all], |buffers| {
        function.set_buffer(0, buffers[0].clone())?;
        function.set_scalar(1, &SLOW.to_ne_bytes())?;
        lent_buffer = Some(buffers[0].clone());
        queue.launch(&function, &[ITEMS], &[64], &[])
    });
    enqueued.expect("lent").expect("a launch");
    assert!(all == bytes(stepped(7, SLOW)), "nobody waited but the loan");
    assert!(queue.launch(&function, &[ITEMS], &[64], &[]).is_err());
    let lent_buffer = lent_buffer.expect("a buffer");
    assert!(queue.fill(&lent_buffer, 0, &[]).is_err());
    assert!(queue.read(&lent_buffer, &mut bytes(0)).is_err());
    assert!(all == bytes(stepped(7, SLOW)));
}
