import { BEDROCK_MODELS, type BedrockArea } from '../../../../core/channels/kinds/aws.ts'

export type BedrockAction = 'invoke' | 'invoke-with-response-stream' | 'converse' | 'converse-stream'

/**
 * What Bedrock calls a model in a region. Names of Claude models are known, with the area's profile in front where there is
 * one; every other name is taken for an id, a profile or an ARN, and stays as it is.
 */
export function bedrockId(model: string, region: string): string {
  const known = BEDROCK_MODELS.get(model)
  if (!known) return model
  const area = areasOf(region).find((candidate) => known.areas.includes(candidate))
  return area ? `${area}.${known.id}` : known.id
}

const JAPAN = new Set(['ap-northeast-1', 'ap-northeast-3'])
const AUSTRALIA = new Set(['ap-southeast-2', 'ap-southeast-4', 'ap-southeast-6'])

/** The areas a region belongs to, nearest first. */
function areasOf(region: string): BedrockArea[] {
  const [continent] = region.split('-')
  if (continent === 'us' || continent === 'ca') return ['us', 'global']
  if (continent === 'eu') return ['eu', 'global']
  if (JAPAN.has(region)) return ['jp', 'apac', 'global']
  if (AUSTRALIA.has(region)) return ['au', 'apac', 'global']
  return continent === 'ap' ? ['apac', 'global'] : ['global']
}

/** Models that are invoked in Anthropic's own format. What hides behind an ARN of the operator's nobody knows. */
export function isClaude(id: string): boolean {
  return /(^|[./])anthropic\.claude|^claude/.test(id)
}

/** Where a model is asked. `baseUrl` replaces the host: for private endpoints. */
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
