import { Type } from 'typebox'
import { PRICE_SOURCES, type PriceSource } from '../pricing/price.ts'
import { Log } from './schema.ts'

const Ratio = Type.Number()
const Count = Type.Integer()

/** A receipt as returned by the management API. */
export const ReceiptSchema = Type.Object(
  {
    log: Log,
    price: Type.Object({
      modelRatio: Type.Number({ description: 'quota per prompt token' }),
      modelPrice: Type.Number({ description: 'dollars per call; -1: priced per token' }),
      completionRatio: Ratio,
      cacheRatio: Ratio,
      cacheWriteRatio: Ratio,
      audioRatio: Ratio,
      audioCompletionRatio: Ratio,
      groupRatio: Ratio,
      quotaPerUnit: Type.Number({ description: 'quota per dollar' }),
      source: Type.Unsafe<PriceSource>({ type: 'string', enum: [...PRICE_SOURCES] }),
    }),
    usage: Type.Object({
      promptTokens: Count,
      completionTokens: Count,
      cachedTokens: Count,
      cacheWriteTokens: Count,
      cacheWriteHourTokens: Count,
      audioPromptTokens: Count,
      audioCompletionTokens: Count,
      reasoningTokens: Count,
    }),
    toolCalls: Type.Array(
      Type.Object({
        tool: Type.String(),
        calls: Count,
        price: Type.Number({ description: 'dollars per call' }),
      }),
      { description: 'tools that the upstream ran' },
    ),
    charged: Type.Integer({ description: 'quota in the row' }),
    recomputed: Type.Number({ description: 'quota computed again from the fields above' }),
    equal: Type.Boolean(),
    isCharged: Type.Boolean({ description: 'false for channel tests, which are not charged' }),
  },
  { title: 'Receipt' },
)
