import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * What Linux tells of a process and all it has started, from /proc. Other systems have none: then the figures are
 * `undefined` and the report shows a dash.
 */

const hasProc = existsSync('/proc/self/stat')
const ticksPerSecond = hasProc ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0
const pageBytes = hasProc ? Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' })) : 0

/** The process and its descendants. @param {number} pid @returns {number[]} */
export function treeOf(pid) {
  if (!hasProc) return [pid]
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ id: Number(name), parent: Number(statOf(Number(name))?.[1]) }))
  const tree = [pid]
  for (const ancestor of tree) tree.push(...parents.filter(({ parent }) => parent === ancestor).map(({ id }) => id))
  return tree
}

/** Milliseconds of processor time, user and system, that the tree has used. @param {number} pid */
export function cpuMs(pid) {
  return sum(pid, (id) => {
    const fields = statOf(id)
    return fields && ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond
  })
}

/** The same of one process without those it has started, to the microsecond: the other counts in hundredths of a second. @param {number} pid */
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

/** The fields after the name, which may itself hold spaces: state, ppid, … @param {number} id */
function statOf(id) {
  return readOrGone(() => {
    const line = readFileSync(`/proc/${id}/stat`, 'utf8')
    return line.slice(line.lastIndexOf(')') + 2).split(' ')
  })
}

/** A process may end between the listing and the look. @template T @param {() => T} read @returns {T | undefined} */
function readOrGone(read) {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String(/** @type {NodeJS.ErrnoException} */ (error).code))) return undefined
    throw error
  }
}
