// Where oscillators x″ = stiffness · (1 − x²) · x′ − x (van der Pol, 1926) are after so many steps by
// Runge and Kutta's method of fourth order. A work-item has one, and touches memory at its beginning and
// end only.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define STEP 0.01

// The change of place and speed.
double2 change(double2 state, double stiffness)
{
    return (double2)(state.y, stiffness * (1.0 - state.x * state.x) * state.y - state.x);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void oscillators(__global const double2 *starts, __global const double *stiffness, __global double2 *ends,
                 int steps)
{
    double2 state = starts[get_global_id(0)];
    const double own = stiffness[get_global_id(0)];
    for (int step = 0; step < steps; ++step) {
        const double2 k1 = change(state, own);
        const double2 k2 = change(state + 0.5 * STEP * k1, own);
        const double2 k3 = change(state + 0.5 * STEP * k2, own);
        const double2 k4 = change(state + STEP * k3, own);
        state += STEP / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    ends[get_global_id(0)] = state;
}
