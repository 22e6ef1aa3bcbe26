import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Modal from '@arco-design/web-react/es/Modal'
import { IconCopy } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { fullKeyOf, type Token } from '../../api/tokens.ts'
import { useCopy } from '../../components/copy.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import './tokens.css'

/** A dialog with the keys of newly created tokens, which the user can copy. */
export function NewTokens({ tokens, onClose }: { tokens: readonly Token[]; onClose: () => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <Modal
      title={t('token.newKeys', { count: tokens.length })}
      visible={tokens.length > 0}
      onCancel={onClose}
      focusLock
      autoFocus={false}
      footer={
        <>
          {tokens[0] && tokens.length === 1 && (
            <LinkButton to={`/start?token=${tokens[0].id}`}>{t('start.use')}</LinkButton>
          )}
          <Button
            icon={<IconCopy />}
            onClick={() => void copy(tokens.map((token) => `${token.name}    ${fullKeyOf(token)}`).join('\n'))}
          >
            {t('redemption.copyAll')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t('action.close')}
          </Button>
        </>
      }
    >
      <ul className="new-tokens">
        {tokens.map((token) => (
          <li key={token.id}>
            <span>{token.name}</span>
            <Input
              readOnly
              value={fullKeyOf(token)}
              aria-label={`${t('field.key')} ${token.name}`}
              addAfter={
                <Button
                  type="text"
                  size="mini"
                  icon={<IconCopy />}
                  aria-label={`${t('action.copy')} ${token.name}`}
                  onClick={() => void copy(fullKeyOf(token))}
                />
              }
            />
          </li>
        ))}
      </ul>
    </Modal>
  )
}

/** Shows the complete key of a token. Part of the page, so it closes when the user leaves the page or signs out. */
export function KeyDialog({ token, onClose }: { token: Token | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      title={token?.name}
      visible={token !== undefined}
      onCancel={onClose}
      focusLock
      footer={
        <Button type="primary" onClick={onClose}>
          {t('action.close')}
        </Button>
      }
    >
      {token && <Input readOnly value={fullKeyOf(token)} aria-label={t('field.key')} />}
    </Modal>
  )
}
