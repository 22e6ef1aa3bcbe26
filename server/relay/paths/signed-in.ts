import type { FastifyRequest } from 'fastify'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { queryOf } from '../admission/admission.ts'
import { authenticate, keyOf } from '../admission/authenticate.ts'

/** Checks the key of a request to a path that gives every caller the same reply. Throws like a relay. */
export async function signedIn({ callers }: LocalToolkit, request: FastifyRequest): Promise<void> {
  const key = keyOf(request.headers, queryOf(request))
  await authenticate(callers, { key, address: request.ip, now: Date.now() / 1000 })
}
