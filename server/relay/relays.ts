import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import type { Config } from '../../core/config.ts'
import { Roster } from '../../core/roster.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import type { Caller } from './admission/authenticate.ts'
import type { Entry } from './admission/entry.ts'
import type { RelayRequest } from './admission/relay-request.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import type { FailureLog } from './delivery/failure-log.ts'
import type { Stoppable } from './delivery/grace.ts'
import { Spools } from './endpoints/spools.ts'
import { Relay } from './relay.ts'
import type { Links } from './transport/links.ts'

/** What all relays of a gateway share. */
export interface RelayParts extends Pick<Links, 'upstream' | 'meansOf' | 'writingThoughts'> {
  readonly toolkit: LocalToolkit
  readonly toolkitWithTokenizer: Pick<LocalToolkit, 'ledger' | 'pricing'> & { tokenizer: Tokenizer }
  readonly directory: ChannelDirectory
  readonly health: ChannelHealth
  readonly config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs' | 'uploadMax'>
  readonly bodies: BodyBudget
  readonly spools: Spools
  readonly failures: FailureLog
  readonly logger: Logger
  isStopping(): boolean
}

/** Starts relays, and ends those that run when the gateway stops. */
export interface Relays extends Stoppable {
  /** Serves one request: the reply is written to `response`. `known`: who asks, if no API key tells. */
  handle(entry: Entry, request: RelayRequest, response: ServerResponse, known?: Caller): void
}

export function createRelays({
  links,
  tokenizer,
  ...parts
}: Pick<RelayParts, 'toolkit' | 'directory' | 'health' | 'config' | 'bodies' | 'failures' | 'logger'> & {
  links: Pick<Links, 'upstream' | 'meansOf' | 'writingThoughts'>
  tokenizer: Tokenizer
}): Relays {
  const running = new Roster<Relay>()
  let isStopping = false
  const shared: RelayParts = {
    ...parts,
    upstream: links.upstream,
    meansOf: links.meansOf,
    writingThoughts: links.writingThoughts,
    toolkitWithTokenizer: { ledger: parts.toolkit.ledger, pricing: parts.toolkit.pricing, tokenizer },
    spools: new Spools(),
    isStopping: () => isStopping,
  }
  const over = (relay: Relay) => running.delete(relay)

  return {
    handle(entry, request, response, known) {
      const relay = new Relay(entry, request, response, known, shared, over)
      running.add(relay)
      relay.start()
    },
    running: () => Array.from(running, (relay) => relay.ended()),
    cut() {
      isStopping = true
      for (const { interruption } of [...running]) interruption.cut('stopping')
    },
  }
}
