import { lookup } from '../../json.ts'

/**
 * Endpoints of models whose endpoint is not the model name in lower case.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
 */
const ENDPOINTS: Readonly<Record<string, string>> = lookup({
  'ernie-4.0': 'completions_pro',
  'ernie-4.0-8k': 'completions_pro',
  'ernie-bot-4': 'completions_pro',
  'ernie-bot': 'completions',
  'ernie-3.5-8k': 'completions',
  'ernie-bot-turbo': 'eb-instant',
  'ernie-lite-8k-0922': 'eb-instant',
  'ernie-speed': 'ernie_speed',
  'ernie-speed-8k': 'ernie_speed',
  'ernie-bot-8k': 'ernie_bot_8k',
  'ernie-lite-8k-0308': 'ernie-lite-8k',
  'bloomz-7b': 'bloomz_7b1',
  'bge-large-zh': 'bge_large_zh',
  'bge-large-en': 'bge_large_en',
  'tao-8k': 'tao_8k',
})

/** Returns the path of a model's endpoint, relative to the path of the operation. */
export function baiduEndpoint(model: string): string {
  const name = model.toLowerCase()
  return encodeURIComponent(ENDPOINTS[name] ?? name)
}
