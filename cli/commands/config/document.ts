import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { findFaults } from '../../../core/configuration/check.ts'
import type { ConfigurationDocument } from '../../../core/configuration/schema.ts'
import { LISTS, SECTIONS } from '../../../core/configuration/sections.ts'
import { errorMessage } from '../../../core/error-parts.ts'
import { GatewayError } from '../../../core/errors.ts'
import { isRecord } from '../../../core/records.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { nearest } from '../../input/nearest.ts'
import { unreadableFile } from '../../input/text-file.ts'
import { fileLineOf, type ReadFile } from './lines.ts'
import { resolveSecrets } from './references.ts'

const FAULTS_MAX = 10

/** A document with resolved secrets, and the positions of its entries in the files. */
interface ReadDocument {
  document: ConfigurationDocument
  /** Runs `call`. Adds an entry's file and line to an error CONFIGURATION_INVALID about this entry. */
  withPosition<T>(call: () => Promise<T>): Promise<T>
}

/**
 * Reads a YAML file, or all YAML files of a folder as one document, and resolves references to secrets. Throws
 * FILE_UNREADABLE, and a usage error with at most ten faults of the document.
 */
export async function readConfigDocument(cli: Cli, path: string): Promise<ReadDocument> {
  const paths = await filesOf(cli, path)
  // The object has no prototype, so that `__proto__` is a name like any other.
  const merged: Record<string, unknown> = Object.create(null)
  const files: ReadFile[] = []
  for (const file of paths) {
    const read = await parseFile(cli, file)
    files.push(read)
    merge(cli, merged, read)
  }
  const faults = findFaults(merged)
  if (faults.length > 0) {
    const lines = faults.slice(0, FAULTS_MAX).map(({ path: where, message, unknown, known = [] }) => {
      const suggestion = unknown === undefined ? undefined : nearest(unknown, known)
      let place = [where, unknown].filter(Boolean).join('.') || 'the document'
      const line = fileLineOf(files, place)
      if (line !== undefined) place = `${place} (${line})`
      return suggestion === undefined ? `${place} ${message}` : `${place} ${message}: did you mean ${suggestion}?`
    })
    throw usageError(cli.t('moving.isNotAConfiguration', { path, reasons: lines.join('; ') }))
  }
  return {
    document: await resolveSecrets(cli, merged as ConfigurationDocument),
    async withPosition(call) {
      try {
        return await call()
      } catch (error) {
        throw withLine(error, files)
      }
    },
  }
}

/** Adds file and line to a CONFIGURATION_INVALID error whose reason begins with an entry's path: `limits.2: …`. */
function withLine(error: unknown, files: readonly ReadFile[]): unknown {
  if (!(error instanceof GatewayError) || error.code !== 'CONFIGURATION_INVALID') return error
  const path = /^(.+?): /.exec(String(error.params.reason_en ?? error.params.reason))?.[1] ?? ''
  const line = fileLineOf(files, path)
  if (line === undefined) return error
  const reasons = Object.entries(error.params).map(([name, reason]) => [
    name,
    String(reason).replace(path, () => `${path} (${line})`),
  ])
  return new GatewayError(error.code, Object.fromEntries(reasons), { cause: error })
}

async function filesOf(cli: Cli, path: string): Promise<string[]> {
  const fullPath = resolve(cli.folder, path)
  try {
    if (!(await stat(fullPath)).isDirectory()) return [fullPath]
    const names = (await readdir(fullPath)).filter((name) => /\.ya?ml$/i.test(name)).sort()
    if (names.length === 0) throw new Error('the folder has no YAML files')
    return names.map((name) => join(fullPath, name))
  } catch (cause) {
    throw unreadableFile(cli, path, cause)
  }
}

async function parseFile(cli: Cli, file: string): Promise<ReadFile> {
  const lines = new LineCounter()
  const name = relative(cli.folder, file)
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw unreadableFile(cli, name, cause)
  })
  const parsed = parseDocument(text, { uniqueKeys: true, lineCounter: lines })
  const [error] = parsed.errors
  if (error?.code === 'MULTIPLE_DOCS') throw usageError(cli.t('moving.mustContainOneYamlDocument', { name }))
  if (error) throw usageError(cli.t('moving.isNotValidYaml', { name, reason: error.message.split(/:?\n/, 1)[0] }))
  return { file: name, document: parsed, lines, offsets: {} }
}

/** Merges a file into the document. Concatenates lists. Rejects a name that two files have in the same section. */
function merge(cli: Cli, merged: Record<string, unknown>, { file, offsets, ...read }: ReadFile): void {
  const document = plainOf(cli, file, read)
  if (!isRecord(document)) throw usageError(cli.t('moving.isNotAConfigurationStart', { file }))
  for (const [key, value] of Object.entries(document)) {
    const before = merged[key]
    if ((LISTS as readonly string[]).includes(key) && Array.isArray(before) && Array.isArray(value)) {
      offsets[key] = before.length
      merged[key] = [...before, ...value]
    } else if ((SECTIONS as readonly string[]).includes(key) && isRecord(before) && isRecord(value)) {
      const name = Object.keys(value).find((each) => Object.hasOwn(before, each))
      if (name !== undefined) throw usageError(cli.t('moving.isInTwoFiles', { key, name, file }))
      merged[key] = { ...before, ...value }
    } else {
      merged[key] = value
    }
  }
}

/**
 * Returns the file's content as plain values. Throws a usage error for unknown aliases, and for aliases that would fill
 * the memory.
 */
function plainOf(cli: Cli, file: string, { document }: Pick<ReadFile, 'document'>): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw usageError(cli.t('moving.isNotValidYaml', { name: file, reason: errorMessage(cause) }))
  }
}
