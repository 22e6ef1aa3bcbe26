import type { Logger } from 'pino'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { JsonObject, ResponseOwner } from '../../../core/responses/responses.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Caller } from '../admission/authenticate.ts'
import type { AnsweredRelay } from '../charging/charge.ts'
import type { Body } from '../dialects/dialect.ts'
import { type Json, textOf } from '../json.ts'
import { itemsOfInput } from './replay.ts'

/** What a Responses request went on from, as its client wrote it: the upstream may have been sent all of it instead. */
export interface Continued {
  readonly previousId: string | undefined
  readonly conversationId: string | undefined
  /** The input that the client sent. */
  readonly input: unknown
  /** Rows that it uses. */
  readonly rows: readonly number[]
  /** The upstream was sent the earlier items themselves, so its reply does not say what it goes on from. */
  readonly isExpanded: boolean
}

export interface KeeperParts {
  readonly toolkit: Pick<LocalToolkit, 'responses' | 'options'>
  readonly logger: Logger
}

type Relay = Pick<AnsweredRelay, 'admitted' | 'served' | 'meter'>

/** Stores the response of one request, so that later ones may go on from it. One for each Responses request. */
export class ResponseKeeper {
  private readonly parts: KeeperParts
  private readonly caller: Caller
  readonly continued: Continued | undefined
  private readonly isInner: boolean
  private response: Json | undefined

  /** `isInner`: a call of the gateway itself, whose reply is stored by what has made it. */
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

  /** Whether the reply will be stored: neither client, key, channel nor operator has turned it off. */
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

  /** The response as its client will read it. */
  take(response: Json): void {
    this.response = response
  }

  /**
   * Stores what was taken; resolves when it is committed. A failure is logged and the reply goes on: it is charged, and only
   * requests that go on from it will not find it.
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

export function ownerOf({ token, user }: Pick<Caller, 'token' | 'user'>): ResponseOwner {
  return { userId: user.id, tokenId: token.id }
}
