import Button from '@arco-design/web-react/es/Button'
import { IconCopy } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import type { Token } from '../../api/tokens.ts'

/** The start and end of a key. A click copies the whole key. */
export function KeyCell({ token, onCopy }: { token: Token; onCopy: (token: Token) => void }) {
  const { t } = useTranslation()
  const { name, key } = token
  return (
    <Button
      size="mini"
      type="text"
      className="key-cell"
      title={t('token.copyKey')}
      aria-label={t('token.copyKeyOf', { name })}
      onClick={() => onCopy(token)}
    >
      <code>{`sk-${key.slice(0, 4)}…${key.slice(-4)}`}</code> <IconCopy />
    </Button>
  )
}
