import Button from '@arco-design/web-react/es/Button'
import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'
import { clearOption } from '../../../api/options.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../components/saving.ts'
import type { OptionField } from './area.ts'
import { OPTION_KEY } from './use-options.ts'

interface Props {
  field: OptionField
  label: string
  filled: boolean | undefined
}

/** Shows whether a secret has a value. A button clears the value, because an empty field keeps the value. */
export function SecretState({ field: { key }, label, filled }: Props) {
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
