import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseDocument } from 'yaml'
import { findFaults } from '../../../core/configuration/check.ts'
import type { ConfigurationDocument } from '../../../core/configuration/schema.ts'
import { SECTIONS } from '../../../core/configuration/sections.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { nearest } from '../../nearest.ts'

const NAMED_MAX = 10

/**
 * Reads a YAML file, or all YAML files of a folder as one document. Throws FILE_UNREADABLE, and a usage error that names every slip,
 * with what was probably meant.
 */
export async function readDocument(cli: Cli, path: string): Promise<ConfigurationDocument> {
  const files = await filesOf(cli, path)
  const merged: Record<string, unknown> = {}
  for (const file of files) merge(cli, merged, await parseFile(cli, file), file)
  const faults = findFaults(merged)
  if (faults.length > 0) {
    const lines = faults.slice(0, NAMED_MAX).map(({ path: where, message, unknown, known = [] }) => {
      const meant = unknown === undefined ? undefined : nearest(unknown, known)
      const place = [where, unknown].filter(Boolean).join('.') || 'the document'
      return meant === undefined ? `${place} ${message}` : `${place} ${message}: did you mean ${meant}?`
    })
    throw usageError(cli.say`${path} is no configuration: ${lines.join('; ')}`)
  }
  return merged as ConfigurationDocument
}

async function filesOf(cli: Cli, path: string): Promise<string[]> {
  const place = resolve(cli.folder, path)
  try {
    if (!(await stat(place)).isDirectory()) return [place]
    const names = (await readdir(place)).filter((name) => /\.ya?ml$/i.test(name)).sort()
    if (names.length === 0) throw new Error('the folder has no YAML files')
    return names.map((name) => join(place, name))
  } catch (cause) {
    const { message } = cause as Error
    throw new CommandError('FILE_UNREADABLE', cli.say`${path} cannot be read: ${message}`, { cause })
  }
}

async function parseFile(cli: Cli, file: string): Promise<unknown> {
  const parsed = parseDocument(await readFile(file, 'utf8'), { uniqueKeys: true })
  const [error] = parsed.errors
  if (error) throw usageError(cli.say`${file} is no YAML: ${error.message}`)
  return parsed.toJS()
}

/** What two files say of one thing would depend on their names: it is refused. */
function merge(cli: Cli, merged: Record<string, unknown>, document: unknown, file: string): void {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw usageError(cli.say`${file} is no configuration: begin it with version: 1`)
  }
  for (const [key, value] of Object.entries(document)) {
    const before = merged[key]
    if (
      before === undefined ||
      !(SECTIONS as readonly string[]).includes(key) ||
      !isObject(before) ||
      !isObject(value)
    ) {
      merged[key] = value
      continue
    }
    const twice = Object.keys(value).find((name) => Object.hasOwn(before, name))
    if (twice !== undefined) throw usageError(cli.say`${key}.${twice} is in two files, the second is ${file}`)
    merged[key] = { ...before, ...value }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
