import Button from '@arco-design/web-react/es/Button'
import Form from '@arco-design/web-react/es/Form'
import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'
import { clearOption, optionDefaults } from '../../../api/options.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../components/saving.ts'
import { useStore } from '../../../store.ts'
import type { OptionField } from './area.ts'
import { OptionControl } from './option-control.tsx'
import { hintOf, optionLabelOf } from './option-names.ts'
import { OptionPreview } from './option-preview.tsx'
import { defaultText, isDefaultOption } from './option-texts.ts'
import type { AreaForm } from './use-area.ts'
import { OPTION_KEY } from './use-options.ts'

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

interface SecretStateProps {
  field: OptionField
  label: string
  filled: boolean | undefined
}

/** Shows whether a secret has a value. A button clears the value, because an empty field keeps the value. */
function SecretState({ field: { key }, label, filled }: SecretStateProps) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const clearAction = useAction({ run: clearOption, done: t('option.secretCleared'), stale: [OPTION_KEY] })
  if (filled === undefined) return null
  if (!filled) return <Tag size="small">{t('option.secretUnset')}</Tag>
  return (
    <span className="option-secret">
      <Tag size="small" color="green">
        {t('option.secretSet')}
      </Tag>
      <Button
        size="mini"
        type="text"
        status="danger"
        aria-label={t('option.clearSecret', { label })}
        onClick={() =>
          confirm({
            title: t('option.clearSecret', { label }),
            content: t('option.clearSecretHint'),
            okText: t('option.clear'),
            danger: true,
            onOk: () => clearAction.mutateAsync(key),
          })
        }
      >
        {t('option.clear')}
      </Button>
    </span>
  )
}
