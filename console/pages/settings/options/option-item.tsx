import Form from '@arco-design/web-react/es/Form'
import { useTranslation } from 'react-i18next'
import type { OptionField } from './area.ts'
import { OptionControl } from './option-control.tsx'
import { hintOf, labelOf } from './option-names.ts'
import { OptionPreview } from './option-preview.tsx'
import { SecretState } from './secret-state.tsx'
import type { AreaForm } from './use-area.ts'

const WIDE = new Set(['lines', 'tags', 'json', 'content'])

interface Props {
  field: OptionField
  form: AreaForm
  hidden?: boolean
}

/** One option with its name, what it is for, and what is wrong with it. */
export function OptionItem({ field, form, hidden = false }: Props) {
  const { t, i18n } = useTranslation()
  const { key, kind, preview } = field
  const label = labelOf(t, i18n, key)
  const hint = kind === 'secret' ? t('option.secretKept') : hintOf(t, i18n, key)
  const problem = form.problem(field)
  const text = form.text(field)
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
        {...(hint && {
          extra: (
            <>
              <span id={ids.hint}>{hint}</span>{' '}
              {kind === 'secret' && <SecretState field={field} label={label} filled={form.isFilled(field)} />}
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
