import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { ConfigurationDocument } from '../../../core/configuration/schema.ts'
import { fileErrorText } from '../../../core/messages/file-errors.ts'
import { findOption } from '../../../core/options/registry.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'

const REFERENCE = /^(env|file|command):([\s\S]+)$/
const COMMAND_TIMEOUT_MS = 30_000

/**
 * Resolves references to secrets: `env:NAME`, `file:PATH`, `command:LINE`. Warns about secrets in clear text. If a
 * reference cannot be resolved, throws a usage error with the place of the reference, never with a secret.
 */
export async function resolveSecrets(cli: Cli, document: ConfigurationDocument): Promise<ConfigurationDocument> {
  const { options, channels, management_keys: keys } = document
  const withKey = async <T extends { key?: string }>(entry: T, place: string): Promise<T> =>
    entry.key === undefined ? entry : { ...entry, key: await secretAt(cli, { place, value: entry.key, isKey: true }) }
  return {
    ...document,
    ...(options && {
      options: await mapFields(options, async (value, key) =>
        findOption(key)?.secret && typeof value === 'string'
          ? secretAt(cli, { place: `options.${key}`, value, isKey: false })
          : value,
      ),
    }),
    ...(channels && {
      channels: await mapFields(channels, (channel, name) => withKey(channel, `channels.${name}.key`)),
    }),
    ...(keys && {
      management_keys: await Promise.all(keys.map((key, at) => withKey(key, `management_keys.${at}.key`))),
    }),
  }
}

async function mapFields<T, R>(
  fields: Readonly<Record<string, T>>,
  change: (value: T, name: string) => Promise<R>,
): Promise<Record<string, R>> {
  const entries = Object.entries(fields).map(async ([name, value]) => [name, await change(value, name)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** Returns the secret that a reference names, or a clear text unchanged. A key (`isKey`) cannot be empty. */
async function secretAt(
  cli: Cli,
  { place, value, isKey }: { place: string; value: string; isKey: boolean },
): Promise<string> {
  const [, kind, target = ''] = REFERENCE.exec(value) ?? []
  if (kind === undefined) {
    if (value === '' && !isKey) return value
    if (value === '') throw usageError(cli.t('moving.isEmpty', { place }))
    cli.note(cli.t('moving.isInClearText', { place }))
    return value
  }
  try {
    const text = await readReference(cli, kind, target)
    if (text === '') throw new Error(cli.t('moving.itIsEmpty'))
    return text
  } catch (cause) {
    const reason = kind === 'command' ? cli.t('moving.theCommandFailed') : fileErrorText(cause, cli.language)
    throw usageError(cli.t('moving.cannotRead', { place, kind, target, reason }))
  }
}

async function readReference(cli: Cli, kind: string, target: string): Promise<string> {
  if (kind === 'env') {
    const value = cli.env[target]
    if (value === undefined) throw new Error(cli.t('moving.theVariableIsNotSet'))
    return value
  }
  if (kind === 'file') return (await readFile(resolve(cli.folder, target), 'utf8')).replace(/\r?\n$/, '')
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', target], {
    cwd: cli.folder,
    env: { ...cli.env },
    timeout: COMMAND_TIMEOUT_MS,
  })
  return stdout.replace(/\r?\n$/, '')
}
