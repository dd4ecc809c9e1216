// SPDX-License-Identifier: Apache-2.0
// Control flow of 128 levels, and lists of 128 jumps. Each kernel counts the wrong values in arg0.
// source: LLVM restructures this control flow
// run: else_ifs global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: ifs global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: choices global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: loops global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: switches global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: returns global 160
// arg: buffer int 0
// arg: buffer int 0*160
// expect: arg0 int 0
// run: conditions global 160
// arg: buffer int 0
// arg: buffer int 0*160
// expect: arg0 int 0
// run: conditions_beside_barrier global 160 local 32
// arg: buffer int 0
// arg: buffer int 0*160
// expect: arg0 int 0
// run: calls global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: continues global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: breaks global 160
// arg: buffer int 0
// expect: arg0 int 0
// run: barriers global 160 local 32
// arg: buffer int 0
// expect: arg0 int 0
#define R4(M, j) M(j) M(j + 1) M(j + 2) M(j + 3)
#define R16(M, j) R4(M, j) R4(M, j + 4) R4(M, j + 8) R4(M, j + 12)
#define ALL(M) R16(M, 0) R16(M, 16) R16(M, 32) R16(M, 48) R16(M, 64) R16(M, 80) R16(M, 96) R16(M, 112)
#define N 128
#define CLOSE(j) }
#define WRONG(got, want) if ((got) != (want)) atomic_inc(wrong)

int sum_to(int n) { return n * (n + 1) / 2; }

#define ELSE_IF(j) if (i == j) r = (j) * 7 + 1; else
kernel void else_ifs(global int *wrong)
{
    int i = get_global_id(0), r = 0;
    ALL(ELSE_IF) r = 5;
    WRONG(r, i < N ? i * 7 + 1 : 5);
}

#define IF(j) if (i > j) { r += j + 1;
kernel void ifs(global int *wrong)
{
    int i = get_global_id(0), r = 0;
    ALL(IF) ALL(CLOSE)
    WRONG(r, sum_to(min(i, N)));
}

#define CHOICE(j) i == j ? (j) * 7 + 1 :
kernel void choices(global int *wrong)
{
    int i = get_global_id(0), r;
    r = ALL(CHOICE) 5;
    WRONG(r, i < N ? i * 7 + 1 : 5);
}

#define LOOP(j) for (int k = 0; k < (i > j); k++) { r += j + 1;
kernel void loops(global int *wrong)
{
    int i = get_global_id(0), r = 0;
    ALL(LOOP) ALL(CLOSE)
    WRONG(r, sum_to(min(i, N)));
}

#define SWITCH(j) switch (i > j) { case 1: r += j + 1;
kernel void switches(global int *wrong)
{
    int i = get_global_id(0), r = 0;
    ALL(SWITCH) ALL(CLOSE)
    WRONG(r, sum_to(min(i, N)));
}

#define RETURN(j) if (i == j) { seen[i] = r; WRONG(r, sum_to(i)); return; } r += j + 1 + seen[(j) / N];
kernel void returns(global int *wrong, volatile global int *seen)
{
    int i = get_global_id(0), r = 0;
    ALL(RETURN)
    WRONG(r, sum_to(N));
}

#define GIVE(j) if (i == j) return r; r += (i ^ j) & 7;
int sum(int i)
{
    int r = 0;
    ALL(GIVE)
    return r;
}

kernel void calls(global int *wrong)
{
    int i = get_global_id(0), want = 0;
    for (int j = 0; j < min(i, N); j++)
        want += (i ^ j) & 7;
    WRONG(sum(i), want);
}

#define CONTINUE(j) if (i + round == j) continue; r += (j) % 5;
kernel void continues(global int *wrong)
{
    int i = get_global_id(0), r = 0, want = 0;
    for (int round = 0; round < 3; round++) {
        ALL(CONTINUE)
    }
    for (int round = 0; round < 3; round++)
        for (int j = 0; j < min(i + round, N); j++)
            want += j % 5;
    WRONG(r, want);
}

#define BREAK(j) if (i == j + round * 50) break; r += (j) % 5;
kernel void breaks(global int *wrong)
{
    int i = get_global_id(0), r = 0, want = 0, round = 0;
    for (; round < 3; round++) {
        ALL(BREAK)
    }
    bool left = false;
    for (int again = 0; again < 3 && !left; again++)
        for (int j = 0; j < N && !left; j++) {
            left = i == j + again * 50;
            want += left ? 0 : j % 5;
        }
    WRONG(r, want);
}

// All work-items of a group reach the innermost level, in each iteration of a loop.
#define ALL_OF(j) if (limit > j) { r += j + 1;
kernel void barriers(global int *wrong)
{
    local int seen[32];
    int i = get_local_id(0), r = 0, limit = get_num_groups(0) * 100;
    ALL(ALL_OF)
    for (int round = 0; round < 4; round++) {
        seen[i] = i + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        r += seen[(i + 1) % 32];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ALL(CLOSE)
    WRONG(r, sum_to(N) + 4 * ((i + 1) % 32) + 6);
}

// Loops in so many ifs that drivers' limits begin in the loop's condition.
#define DEEPER(j) if (seen[id] == (j)) { seen[id]++;
#define AND(j) ((++seen[id], id > j) && (
#define CLOSE_BOTH(j) ))
#define WHILE_BELOW(n) do { rounds++; } while (R16(AND, 0) R16(AND, 16) R16(AND, 32) R16(AND, 48) rounds < n R16(CLOSE_BOTH, 0) R16(CLOSE_BOTH, 16) R16(CLOSE_BOTH, 32) R16(CLOSE_BOTH, 48))
kernel void conditions(global int *wrong, global int *seen)
{
    int id = get_global_id(0), rounds = 0;
    R16(DEEPER, 0)
    WHILE_BELOW(3);
    R16(CLOSE, 0)
    WRONG(rounds, id < 64 ? 1 : 3);
    WRONG(seen[id], 16 + (id < 64 ? id + 1 : 3 * 64));
}
kernel void conditions_beside_barrier(global int *wrong, global int *seen)
{
    int id = get_global_id(0), rounds = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    R4(DEEPER, 0)
    WHILE_BELOW(3);
    R4(CLOSE, 0)
    WRONG(rounds, id < 64 ? 1 : 3);
    WRONG(seen[id], 4 + (id < 64 ? id + 1 : 3 * 64));
}
