import { createHash } from 'node:crypto'
import type { StoredBatch } from '../../../core/batches/rows.ts'
import type { Price } from '../../../core/pricing/prices.ts'
import { refuse } from '../dialects/refuse.ts'
import type { BatchRequest } from './admit-request.ts'

interface PricedModel {
  readonly model: string
  readonly price: Price
  readonly effort: string | undefined
  readonly index: number
}

/** The number, cost and prices of a batch's requests. */
export class BatchSum {
  quota = 0
  count = 0
  group = ''
  /** The priced models of the requests, by model and effort. */
  private readonly models = new Map<string, PricedModel>()
  private readonly modelIndexes: Record<string, number> = Object.create(null)

  /** Adds a request, whose id must be unique in the batch. */
  add(customId: string, { admitted, quota, effort }: BatchRequest): void {
    const { model, price, group } = admitted
    // An effort without effect on the price is ignored. Otherwise, each request could add a priced model.
    const affectsPrice = price.conditions?.some((one) => one.kind === 'effort' && one.name === effort)
    const key = `${affectsPrice ? effort : ''} ${model}`
    const existing = this.models.get(key)
    const { index } = existing ?? { index: this.models.size }
    if (!existing) this.models.set(key, { model, price, effort: affectsPrice ? effort : undefined, index })
    this.modelIndexes[customId] = index
    this.group = group
    // Keep the sum a safe integer. No balance covers a larger sum.
    this.quota = Math.min(this.quota + quota, Number.MAX_SAFE_INTEGER)
    this.count += 1
  }

  get model(): string {
    return [...new Set([...this.models.values()].map(({ model }) => model))].join(',')
  }

  get idsDigest(): string {
    return digestOfIds(Object.keys(this.modelIndexes))
  }

  prices(): StoredBatch['prices'] {
    const models = [...this.models.values()].map(({ model, price, effort }) =>
      effort === undefined ? { model, price } : { model, price, effort },
    )
    return models.length === 1 ? { models } : { models, requests: this.modelIndexes }
  }
}

/** Maximum number of an id's characters in an error. */
const SHOWN_ID_MAX = 64

/** The ids of a batch's requests, which must be unique. */
export class RequestIds {
  private readonly ids = new Set<string>()

  /** Throws REQUEST_MALFORMED if another request has the same id. */
  add(customId: string): void {
    if (this.ids.has(customId)) refuse(`custom_id ${customId.slice(0, SHOWN_ID_MAX)} is used twice`, 'custom_id')
    this.ids.add(customId)
  }
}

/** Returns a digest of the ids of a batch's requests, which does not depend on the order of the ids. */
export function digestOfIds(customIds: Iterable<string>): string {
  const digest = createHash('sha256')
  for (const customId of [...customIds].sort()) digest.update(`${JSON.stringify(customId)}\n`)
  return digest.digest('hex')
}
