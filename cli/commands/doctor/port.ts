import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../../../core/config.ts'
import { errorCode, errorMessage } from '../../../core/error-parts.ts'
import { localUrlOf } from '../../address.ts'
import type { Texts } from '../../texts.ts'
import { type Finding, findings } from './finding.ts'

const ANSWER_MS = 2000

/** Checks that the port is free or that Tollgate uses it. */
export async function checkPort({ t }: Texts, { host, port }: Config): Promise<Finding> {
  const { ok, fail } = findings('port')
  const version = await answeringVersion(localUrlOf({ host, port }))
  if (version !== undefined)
    return ok(t('doctor.tollgateIsRunningOn', { version, address: localUrlOf({ host, port }) }))
  const problem = await listenProblem({ host, port })
  if (problem === undefined) return ok(t('doctor.onIsFree', { port, host }))
  if (problem === 'EADDRINUSE') {
    return fail(t('doctor.onIsInUseByAnother', { port, host }), t('doctor.chooseAnotherPortWithPort'))
  }
  return fail(t('doctor.cannotListenOn', { host, port, problem }), t('doctor.setHostAndPort'))
}

/** Returns the version of the Tollgate at an address; undefined if no Tollgate responds there. */
export async function answeringVersion(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/api/status`, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { data } = (await response.json()) as { data?: { version?: unknown } }
    return typeof data?.version === 'string' ? data.version : undefined
  } catch {
    // No server responds, or the server uses another protocol. The caller checks the port next.
    return undefined
  }
}

async function listenProblem({ host, port }: { host: string; port: number }): Promise<string | undefined> {
  const server = createServer()
  try {
    const listening = once(server, 'listening')
    server.listen({ host, port })
    await listening
    return undefined
  } catch (error) {
    return errorCode(error) || errorMessage(error)
  } finally {
    server.close()
  }
}
