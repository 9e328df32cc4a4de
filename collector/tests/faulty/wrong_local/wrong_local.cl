__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void plain(__global int *b)
{
    b[get_global_id(0)] = 1;
}
