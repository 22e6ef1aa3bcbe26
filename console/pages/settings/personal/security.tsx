import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Modal from '@arco-design/web-react/es/Modal'
import { IconCopy } from '@arco-design/web-react/icon'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ROLE } from '../../../access.ts'
import { createAccessToken, type User } from '../../../api/users.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import { useCopy } from '../../../components/copy.tsx'
import { useAction } from '../../../components/saving.ts'
import { useUserPresent } from '../../../components/user-present.tsx'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'

/** The section with the access token, the password and the deletion of the account. */
export function Security({ self }: { self: User }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const [open, setOpen] = useState<'password' | 'delete'>()
  const [token, setToken] = useState<string>()
  const { ensure, dialog } = useUserPresent()
  const generateAction = useAction({ run: () => ensure(createAccessToken), after: setToken, stale: ['user'] })
  const close = () => setOpen(undefined)

  function generate() {
    if (!self.access_token) return generateAction.mutate()
    confirm({
      title: t('personal.replaceToken'),
      content: t('personal.replaceTokenText'),
      okText: t('personal.generate'),
      onOk: () => generateAction.mutateAsync(),
    })
  }

  return (
    <section className="panel" aria-labelledby="security">
      <h2 id="security">{t('personal.security')}</h2>
      <ul className="security">
        <Row title={t('personal.accessToken')} text={t('personal.accessTokenText')}>
          <Button loading={generateAction.isPending} onClick={generate}>
            {t('personal.generate')}
          </Button>
        </Row>
        <Row title={t('personal.password')} text={t('personal.passwordText')}>
          <Button onClick={() => setOpen('password')}>{t('personal.changePassword')}</Button>
        </Row>
        <Row
          title={t('personal.delete')}
          text={t(self.role >= ROLE.root ? 'personal.deleteRoot' : 'personal.deleteText')}
        >
          {self.role < ROLE.root && (
            <Button status="danger" onClick={() => setOpen('delete')}>
              {t('personal.delete')}
            </Button>
          )}
        </Row>
      </ul>
      {dialog}
      <TokenDialog token={token} onClose={() => setToken(undefined)} />
      <PasswordDialog username={self.username} visible={open === 'password'} onClose={close} />
      <DeleteAccountDialog username={self.username} visible={open === 'delete'} onClose={close} />
    </section>
  )
}

function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <p className="panel-note">{text}</p>
      </div>
      {children}
    </li>
  )
}

/** Shows a new access token. The server does not return it again. */
function TokenDialog({ token, onClose }: { token: string | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  return (
    <Modal
      title={t('personal.newToken')}
      visible={token !== undefined}
      onCancel={onClose}
      maskClosable={false}
      unmountOnExit
      footer={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      <Alert type="warning" content={t('personal.newTokenText')} className="dialog-note" />
      <div className="with-button">
        <Input readOnly value={token ?? ''} aria-label={t('personal.accessToken')} className="secret" />
        <Button type="primary" icon={<IconCopy />} onClick={() => void copy(token ?? '')}>
          {t('action.copy')}
        </Button>
      </div>
    </Modal>
  )
}
