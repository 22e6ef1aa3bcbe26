/**
 * Returns the CPU time of this process during `run`, in milliseconds: the least of some runs, because compilation and the garbage
 * of earlier work are in single ones. To be compared with other work in the same process: machines differ.
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
