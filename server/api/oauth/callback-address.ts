import type { FastifyRequest } from 'fastify'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'

/** Returns a public URL of this gateway. It must be the URL that is registered at the provider. */
export function callbackAddress(options: Options, { protocol, host }: FastifyRequest, path: string): string {
  return (options.get(OPTIONS.ServerAddress) || `${protocol}://${host}`) + path
}
