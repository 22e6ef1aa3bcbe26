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

/** The stored content that a Responses request continues, as the client named it. */
export interface Continued {
  readonly previousId: string | undefined
  readonly conversationId: string | undefined
  /** The input as the client sent it. */
  readonly input: unknown
  /** Ids of the database rows that contain the context. */
  readonly rows: readonly number[]
  /**
   * Whether the gateway sent the earlier items to the upstream. If so, the upstream's reply does not name the previous
   * response.
   */
  readonly isExpanded: boolean
}

interface KeeperParts {
  readonly toolkit: Pick<LocalToolkit, 'responses' | 'options'>
  readonly logger: Logger
}

type Relay = Pick<AnsweredRelay, 'admitted' | 'served' | 'meter'>

/** Stores the response to one Responses request, so that later requests can continue it. */
export class ResponseKeeper {
  readonly continued: Continued | undefined
  private readonly isInner: boolean
  private response: Json | undefined

  /** `isInner` means that the gateway itself sent the request. The code that sent the request stores the reply. */
  constructor(
    private readonly parts: KeeperParts,
    private readonly caller: Caller,
    { continued, isInner }: { continued: Continued | undefined; isInner: boolean },
  ) {
    this.continued = continued
    this.isInner = isInner
  }

  /** Whether the reply will be stored. The client, key, channel and operator must all allow this. */
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

  /** Remembers the response for `store`, in the form that the client gets. */
  take(response: Json): void {
    this.response = response
  }

  /**
   * Stores the response that `take` remembered. Resolves when the database has the response.
   *
   * Only logs a failure, because the reply is already charged. Later requests then cannot continue the response.
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
