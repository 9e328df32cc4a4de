// lengths[i] = after how many steps i + 1 comes to 1, when even numbers are halved and odd ones become 3
// · n + 1. How long that takes nobody knows beforehand: whoever is done takes the next number off a
// queue, by an atomic addition. Queue q has the numbers q, q + queues, q + 2 · queues …

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void collatz_queue(__global uint *next, __global ushort *lengths, uint numbers, uint queues)
{
    __global uint *queue = next + get_global_id(0) % queues;
    for (uint i = atomic_add(queue, queues); i < numbers; i = atomic_add(queue, queues)) {
        ushort length = 0;
        for (ulong n = i + 1; n != 1; ++length)
            n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        lengths[i] = length;
    }
}
