import type { FastifyRequest } from 'fastify'
import type { Options } from '../../../core/options/options.ts'
import { OPTIONS } from '../../../core/options/registry.ts'

/** Returns a public URL of this gateway. The same URL must be registered at the identity provider. */
export function callbackAddress(options: Options, { protocol, host }: FastifyRequest, path: string): string {
  return (options.get(OPTIONS.ServerAddress) || `${protocol}://${host}`) + path
}
