import { GatewayError } from '../../core/errors.ts'
import type { Cli } from '../cli.ts'
import type { Command } from '../command.ts'
import { DetailedError, usageError } from '../errors.ts'
import { nearest } from './nearest.ts'

/** Flags by API field, if the name of the flag differs from the name of the field. */
const FLAGS: Readonly<Record<string, string>> = {
  model_limits: '--models',
  remain_quota: '--quota',
  expired_time: '--expires',
}

/**
 * Returns the error with flags instead of API fields. If the error is OPTION_UNKNOWN, returns a usage error that
 * suggests the most similar key of the gateway's options.
 */
export async function inCommandWords(cli: Cli, error: unknown, command: Command): Promise<unknown> {
  if (cli.json) return error
  if (error instanceof DetailedError) {
    return new DetailedError(await inCommandWords(cli, error.cause, command), error.details)
  }
  if (!(error instanceof GatewayError)) return error
  const { code, params, cause } = error
  if (code === 'OPTION_UNKNOWN') return unknownOptionError(cli, error)
  const flag = flagOf(command, String(params.field ?? ''))
  if (flag === undefined) return error
  if (code === 'FIELD_ADDRESSES') {
    const { value } = params
    return usageError(cli.t('program.mustBeAddressesOrRanges', { flag, value: String(value) }))
  }
  return new GatewayError(code, { ...params, field: flag }, { cause })
}

function flagOf(command: Command, field: string): string | undefined {
  const expectedFlag = FLAGS[field] ?? `--${field.replaceAll('_', '-')}`
  return command.options.find(({ long }) => long === expectedFlag)?.long ?? undefined
}

async function unknownOptionError({ t }: Cli, error: GatewayError): Promise<unknown> {
  const { OPTIONS } = await import('../../core/options/registry.ts')
  const key = String(error.params.key)
  const suggestion = nearest(key, Object.keys(OPTIONS))
  const text =
    suggestion === undefined
      ? t('program.unknownOptionSee', { key })
      : t('program.unknownOption', { key, meant: suggestion })
  return usageError(text)
}
