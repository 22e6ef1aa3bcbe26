/**
 * Returns the CPU time of this process during `run`, in milliseconds. The result is the minimum of several runs,
 * because some runs contain compilation and garbage collection. Compare it only with other work of the same process,
 * because machines differ.
 */
export async function leastCpuMs(run: () => Promise<unknown>): Promise<number> {
  const runs: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    runs.push((user + system) / 1000)
  }
  return Math.min(...runs)
}
