import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { ChannelHealth } from '../../core/channels/health/health.ts'
import type { ChannelDirectory } from '../../core/channels/routing/directory.ts'
import type { Config } from '../../core/config.ts'
import { Roster } from '../../core/roster.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { BodyBudget } from '../bodies/budget.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Caller } from './admission/authenticate.ts'
import type { RelayEntry } from './admission/entry.ts'
import type { RelayRequest } from './admission/relay-request.ts'
import type { Tokenizer } from './counting/tokenizer.ts'
import type { FailureLog } from './delivery/failure-log.ts'
import type { Stoppable } from './delivery/grace.ts'
import { UploadSlots } from './endpoints/upload-slots.ts'
import { Relay } from './relay.ts'
import type { OutboundClients } from './transport/outbound-clients.ts'

/** Dependencies that all relays of a gateway share. */
export interface RelayParts extends Pick<OutboundClients, 'upstream' | 'providerContextFor' | 'writingThoughts'> {
  readonly toolkit: LocalToolkit
  readonly toolkitWithTokenizer: Pick<LocalToolkit, 'ledger' | 'pricing'> & { tokenizer: Tokenizer }
  readonly directory: ChannelDirectory
  readonly health: ChannelHealth
  readonly config: Pick<Config, 'relayTimeoutMs' | 'firstTokenTimeoutMs' | 'uploadMax'>
  readonly bodies: BodyBudget
  readonly uploadSlots: UploadSlots
  readonly failures: FailureLog
  readonly logger: Logger
  /** Undefined if tracing is disabled. */
  readonly telemetry: Telemetry | undefined
  isStopping(): boolean
}

/** Starts relays, and ends the running relays when the gateway stops. */
export interface Relays extends Stoppable {
  readonly count: number
  /** Serves one request and writes the reply to `response`. `known` is the caller if the request has no API key. */
  handle(entry: RelayEntry, request: RelayRequest, response: ServerResponse, known?: Caller): void
}

export function createRelays({
  links,
  tokenizer,
  metrics,
  ...parts
}: Pick<RelayParts, 'toolkit' | 'directory' | 'health' | 'config' | 'bodies' | 'failures' | 'logger' | 'telemetry'> & {
  links: Pick<OutboundClients, 'upstream' | 'providerContextFor' | 'writingThoughts'>
  tokenizer: Tokenizer
  metrics: Metrics
}): Relays {
  const running = new Roster<Relay>()
  let isStopping = false
  const shared: RelayParts = {
    ...parts,
    upstream: links.upstream,
    providerContextFor: links.providerContextFor,
    writingThoughts: links.writingThoughts,
    toolkitWithTokenizer: { ledger: parts.toolkit.ledger, pricing: parts.toolkit.pricing, tokenizer },
    uploadSlots: new UploadSlots(),
    isStopping: () => isStopping,
  }
  const onEnd = (relay: Relay) => {
    running.delete(relay)
    metrics.relayEnded(relay)
  }

  return {
    handle(entry, request, response, known) {
      const relay = new Relay(entry, request, response, known, shared, onEnd)
      running.add(relay)
      relay.start()
    },
    get count() {
      return running.size
    },
    running: () => Array.from(running, (relay) => relay.ended()),
    stop() {
      isStopping = true
      for (const { interruption } of [...running]) interruption.abort('stopping')
    },
  }
}
