import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * Figures of a process and its descendants, from Linux's /proc. On other systems, the figures are `undefined`, and the
 * report shows a dash.
 */

const hasProc = existsSync('/proc/self/stat')
const ticksPerSecond = hasProc ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0
const pageBytes = hasProc ? Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' })) : 0

/** Returns the ids of the process and its descendants. @param {number} pid @returns {number[]} */
export function treeOf(pid) {
  if (!hasProc) return [pid]
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ id: Number(name), parent: Number(statOf(Number(name))?.[1]) }))
  const tree = [pid]
  for (const ancestor of tree) tree.push(...parents.filter(({ parent }) => parent === ancestor).map(({ id }) => id))
  return tree
}

/** Returns the CPU time of the process and its descendants in milliseconds, user and system. @param {number} pid */
export function cpuMs(pid) {
  return sum(pid, (id) => {
    const fields = statOf(id)
    return fields && ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
  })
}

/** Returns the CPU time of one process without its descendants, in milliseconds. More exact than `cpuMs`, which has steps of 10 ms. @param {number} pid */
export function exactCpuMs(pid) {
  if (!existsSync(`/proc/${pid}/schedstat`)) return undefined
  const nsOf = (/** @type {string} */ thread) =>
    readOrGone(() => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])) ?? 0
  return readdirSync(`/proc/${pid}/task`).reduce((total, thread) => total + nsOf(thread), 0) / 1e6
}

/** @param {number} pid */
export function rssBytes(pid) {
  return sum(pid, (id) => {
    const fields = statOf(id)
    return fields && Number(fields[21]) * pageBytes
  })
}

/** @param {number} pid */
export function openFiles(pid) {
  return sum(pid, (id) => readOrGone(() => readdirSync(`/proc/${id}/fd`).length))
}

/** @param {number} pid @param {(id: number) => number | undefined} read */
function sum(pid, read) {
  if (!hasProc) return undefined
  return treeOf(pid).reduce((total, id) => total + (read(id) ?? 0), 0)
}

/** Returns the fields after the name, which may contain spaces: state, ppid, … @param {number} id */
function statOf(id) {
  return readOrGone(() => {
    const line = readFileSync(`/proc/${id}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  })
}

/** Returns undefined if the process has ended meanwhile. @template T @param {() => T} read @returns {T | undefined} */
function readOrGone(read) {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String(/** @type {NodeJS.ErrnoException} */ (error).code))) return undefined
    throw error
  }
}
