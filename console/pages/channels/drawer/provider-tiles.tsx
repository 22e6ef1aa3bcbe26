import { useTranslation } from 'react-i18next'
import type { ChannelType } from '../../../api/channel-form.ts'

/** Numbers of the most common types: OpenAI, Anthropic, Gemini, DeepSeek, Azure OpenAI, AWS, OpenRouter, Ollama. */
const POPULAR = [1, 14, 24, 43, 3, 33, 20, 4]

interface Props {
  kinds: readonly ChannelType[]
  onChoose: (type: number) => void
}

/** Buttons for the most common providers, as the first step of a new channel. The select below has all providers. */
export function ProviderTiles({ kinds, onChoose }: Props) {
  const { t } = useTranslation()
  const popular = POPULAR.flatMap((type) => kinds.find((kind) => kind.type === type && kind.offered) ?? [])
  return (
    <fieldset className="provider-tiles">
      <legend>{t('channelForm.usual')}</legend>
      {popular.map(({ type, name }) => (
        <button key={type} type="button" onClick={() => onChoose(type)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}
