import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'
import { optionDefaults } from '../../../api/options.ts'
import { useStore } from '../../../store.ts'
import type { OptionField } from './area.ts'
import { OptionControl } from './option-control.tsx'
import { hintOf, optionLabelOf } from './option-names.ts'
import { OptionPreview } from './option-preview.tsx'
import { defaultText, isDefaultOption } from './option-texts.ts'
import { SecretState } from './secret-state.tsx'
import type { AreaForm } from './use-area.ts'

const WIDE = new Set(['lines', 'tags', 'json', 'content'])

interface Props {
  field: OptionField
  form: AreaForm
  hidden?: boolean
}

/** One option with its label, hint and error. */
export function OptionItem({ field, form, hidden = false }: Props) {
  const { t, i18n } = useTranslation()
  const { key, kind, preview } = field
  const label = optionLabelOf(t, i18n, key)
  const hint = kind === 'secret' ? t('option.secretKept') : hintOf(t, i18n, key)
  const problem = form.problem(field)
  const text = form.text(field)
  const defaults = useStore(optionDefaults)
  const isChanged = kind !== 'secret' && !isDefaultOption(field, text, defaults)
  const ids = { hint: `option-${key}-hint`, problem: `option-${key}-problem` }
  const described = [hint && ids.hint, problem && ids.problem].filter(Boolean).join(' ')
  return (
    <div
      id={`option-${key}`}
      className={['option', WIDE.has(kind) && 'option-wide', kind === 'switch' && 'option-switch']
        .filter(Boolean)
        .join(' ')}
      hidden={hidden}
    >
      <Form.Item
        label={label}
        {...((hint || isChanged) && {
          extra: (
            <>
              {hint && <span id={ids.hint}>{hint} </span>}
              {kind === 'secret' && <SecretState field={field} label={label} filled={form.isFilled(field)} />}
              {isChanged && (
                <NotDefault label={label} onReset={() => form.change(field, defaultText(field, defaults))} />
              )}
            </>
          ),
        })}
        {...(problem && {
          validateStatus: 'error' as const,
          help: (
            <span id={ids.problem} role="alert">
              {problem}
            </span>
          ),
        })}
      >
        <OptionControl
          field={field}
          label={label}
          text={text}
          wrong={problem !== undefined}
          describedBy={described || undefined}
          onChange={(text) => form.change(field, text)}
          onBlur={() => form.check(field)}
        />
      </Form.Item>
      {kind !== 'content' && text !== '' && preview && <OptionPreview kind={preview} text={text} title={label} />}
    </div>
  )
}

/** Shows that a value is not the default. The button puts the default into the field. */
function NotDefault({ label, onReset }: { label: string; onReset: () => void }) {
  const { t } = useTranslation()
  return (
    <span className="option-changed">
      <Tag size="small">{t('option.notDefault')}</Tag>
      <Button type="text" size="mini" onClick={onReset} aria-label={t('option.toDefaultOf', { label })}>
        {t('option.toDefault')}
      </Button>
    </span>
  )
}
