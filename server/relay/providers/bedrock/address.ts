import { BEDROCK_MODELS, type BedrockArea } from '../../../../core/channels/kinds/aws.ts'

export type BedrockAction = 'invoke' | 'invoke-with-response-stream' | 'converse' | 'converse-stream'

/**
 * Returns Bedrock's id of a model for a region. The id of a known model gets the prefix of the nearest area that has an
 * inference profile for the model. Returns any other name unchanged, because it is an id, a profile or an ARN.
 */
export function bedrockId(model: string, region: string): string {
  const knownModel = BEDROCK_MODELS.get(model)
  if (!knownModel) return model
  const area = areasOf(region).find((candidate) => knownModel.areas.includes(candidate))
  return area ? `${area}.${knownModel.id}` : knownModel.id
}

const JAPAN = new Set(['ap-northeast-1', 'ap-northeast-3'])
const AUSTRALIA = new Set(['ap-southeast-2', 'ap-southeast-4', 'ap-southeast-6'])

/** Returns the areas of a region, nearest first. */
function areasOf(region: string): BedrockArea[] {
  const [continent] = region.split('-')
  if (continent === 'us' || continent === 'ca') return ['us', 'global']
  if (continent === 'eu') return ['eu', 'global']
  if (JAPAN.has(region)) return ['jp', 'apac', 'global']
  if (AUSTRALIA.has(region)) return ['au', 'apac', 'global']
  return continent === 'ap' ? ['apac', 'global'] : ['global']
}

/** Whether an id names a Claude model, which uses Anthropic's format. False for an ARN that does not name the model. */
export function isClaude(id: string): boolean {
  return /(^|[./])anthropic\.claude|^claude/.test(id)
}

/** Returns the URL of a model. `baseUrl` replaces the default host, for private endpoints. */
export function bedrockUrl(
  { baseUrl, region }: { baseUrl: string; region: string },
  { id, action }: { id: string; action: BedrockAction },
): string {
  const host = baseUrl.replace(/\/$/, '') || `https://bedrock-runtime.${region}.${domainOf(region)}`
  return `${host}/model/${encodeURIComponent(id)}/${action}`
}

function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}
