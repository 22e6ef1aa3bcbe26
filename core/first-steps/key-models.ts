import { type Static, Type } from 'typebox'
import type { Accounts } from '../accounts/accounts.ts'
import type { Actor } from '../actor.ts'
import type { ChannelDirectory } from '../channels/routing/directory.ts'
import { BY_USAGE } from '../pricing/price.ts'
import type { Pricing } from '../pricing/pricing.ts'
import type { Tokens } from '../tokens/tokens.ts'

/** The priced models that an API key may request. */
export const KeyModels = Type.Object({
  models: Type.Array(Type.String(), { description: 'sorted by name' }),
  suggested: Type.String({ description: 'a low-priced chat model for a first request; empty if there are no models' }),
})
export type KeyModels = Static<typeof KeyModels>

/** Maximum number of models whose price is checked. */
const MODELS_MAX = 2000

/** Pattern of the names of models that cannot chat. The gateway knows a model's abilities only from its name. */
const NO_CHAT =
  /embed|rerank|tts|whisper|transcri|dall-e|image|imagen|flux|stable-diffusion|sd3|moderation|realtime|audio|speech|midjourney|^mj_|suno|^swap_face|veo|sora|kling|bge-|video|search-preview|ocr|babbage|davinci|-instruct$/i

interface KeyModelParts {
  accounts: Pick<Accounts, 'get'>
  tokens: Pick<Tokens, 'get'>
  directory: Pick<ChannelDirectory, 'models'>
  pricing: Pick<Pricing, 'find'>
}

/** Returns the models that a key of the actor may request. Throws TOKEN_NOT_FOUND. */
export async function keyModels(
  { accounts, tokens, directory, pricing }: KeyModelParts,
  actor: Actor,
  tokenId: number,
): Promise<KeyModels> {
  const token = await tokens.get(actor, tokenId)
  const group = token.group || (await accounts.get(actor, actor.id)).group
  const limits = token.model_limits_enabled
    ? new Set(token.model_limits.split(',').map((name) => name.trim()))
    : undefined
  const models: string[] = []
  let suggested: { model: string; cost: number } | undefined
  for (const model of directory.models(group).slice(0, MODELS_MAX)) {
    if (limits && !limits.has(model)) continue
    const price = await pricing.find({ model, group })
    if (!price) continue
    models.push(model)
    if (NO_CHAT.test(model) || price.modelPrice !== BY_USAGE) continue
    const cost = price.modelRatio * (1 + price.completionRatio)
    if (!suggested || cost < suggested.cost) suggested = { model, cost }
  }
  return { models: models.sort(), suggested: suggested?.model ?? models[0] ?? '' }
}
