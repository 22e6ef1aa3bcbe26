import type { Logger } from 'pino'
import type { ObjectOwner } from '../../../core/batches/rows.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { JsonObject, ResponseOwner } from '../../../core/responses/responses.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { type Caller, objectOwnerOf } from '../admission/authenticate.ts'
import type { AnsweredRelay } from '../charging/charge.ts'
import type { Body } from '../dialects/dialect.ts'
import { type Json, textOf } from '../json.ts'
import { itemsOfInput } from './replay.ts'

/**
 * The stored context that a Responses request continues, as the client named it. The upstream may have got the earlier items
 * instead of these names.
 */
export interface Continued {
  readonly previousId: string | undefined
  readonly conversationId: string | undefined
  /** The input that the client sent. */
  readonly input: unknown
  /** Ids of the rows in which the context is stored. */
  readonly rows: readonly number[]
  /** Whether the upstream got the earlier items themselves, so that its reply does not name the previous response. */
  readonly isExpanded: boolean
}

export interface KeeperParts {
  readonly toolkit: Pick<LocalToolkit, 'responses' | 'options'>
  readonly logger: Logger
}

type Relay = Pick<AnsweredRelay, 'admitted' | 'served' | 'meter'>

/** Stores the response of one Responses request, so that later requests can continue it. */
export class ResponseKeeper {
  private readonly parts: KeeperParts
  private readonly caller: Caller
  readonly continued: Continued | undefined
  private readonly isInner: boolean
  private response: Json | undefined

  /** `isInner`: the request is an inner call, whose caller stores the reply. */
  constructor(
    parts: KeeperParts,
    caller: Caller,
    { continued, isInner }: { continued: Continued | undefined; isInner: boolean },
  ) {
    this.parts = parts
    this.caller = caller
    this.continued = continued
    this.isInner = isInner
  }

  /** Whether the reply will be stored: client, key, channel and operator must all allow it. */
  keeps({ body }: { body: Body }, { channel }: Pick<Relay['served'], 'channel'>): boolean {
    const { toolkit } = this.parts
    return (
      !this.isInner &&
      body.store !== false &&
      this.caller.token.storesResponses &&
      channel.settings.storeResponses &&
      toolkit.options.get(OPTIONS.ResponseStoreHours) > 0
    )
  }

  /** Remembers the response that `store` will store, in the form that the client gets. */
  take(response: Json): void {
    this.response = response
  }

  /**
   * Stores the response that `take` got; resolves when it is committed. Only logs a failure: the reply is charged, but later
   * requests cannot continue it.
   */
  async store({ admitted, served, meter }: Relay): Promise<void> {
    const { response } = this
    const id = textOf(response?.id)
    if (!response || id === undefined) return
    const { toolkit, logger } = this.parts
    const { channel } = served
    const isAtUpstream = meter.stored?.has(`response ${id}`) === true
    const { input = admitted.body.input, previousId, conversationId, rows: uses = [] } = this.continued ?? {}
    try {
      const isStored = await toolkit.responses.add(ownerOf(this.caller), {
        id,
        previousId,
        conversationId,
        response: response as JsonObject,
        input: itemsOfInput(input),
        uses,
        ...(isAtUpstream && { place: { channelId: channel.id, keyDigest: channel.keyName?.digest ?? '' } }),
      })
      if (!isStored) logger.warn({ requestId: admitted.requestId, response: id }, 'response too large to be stored')
    } catch (error) {
      logger.error({ requestId: admitted.requestId, err: error }, 'response not stored')
    }
  }
}

export function ownerOf(caller: Pick<Caller, 'token' | 'user'>): ResponseOwner & ObjectOwner {
  return { ...objectOwnerOf(caller), tokenId: caller.token.id }
}
