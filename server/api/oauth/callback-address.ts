import type { FastifyRequest } from 'fastify'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'

/** An address of this gateway as browsers reach it, which must be the one that is registered at the provider. */
export function callbackAddress(options: Options, { protocol, host }: FastifyRequest, path: string): string {
  return (options.get(OPTIONS.ServerAddress) || `${protocol}://${host}`) + path
}
