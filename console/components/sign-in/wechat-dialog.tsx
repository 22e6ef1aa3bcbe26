import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Modal from '@arco-design/web-react/es/Modal'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { useOnce } from '../saving.ts'
import './wechat-dialog.css'

/** The message to which the platform's WeChat account replies with a code. The message is the same in all languages. */
const CODE_KEYWORD = '验证码'

interface Props {
  title: string
  visible: boolean
  onClose: () => void
  /** Signs in or binds an account with the code. Must report its own errors; a rejection keeps the dialog open. */
  onCode: (code: string) => Promise<unknown>
  submitText: string
}

/** Shows the QR code of the platform's WeChat account, and a field for the code that this account sends to the user. */
export function WeChatDialog({ title, visible, onClose, onCode, submitText }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const [isMissing, setMissing] = useState(false)
  const sendAction = useMutation({ mutationFn: onCode, onSuccess: onClose })
  const send = useOnce(sendAction.mutateAsync)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code') ?? '').trim()
    setMissing(code === '')
    if (code !== '') send(code)
  }

  return (
    <Modal title={title} visible={visible} onCancel={onClose} footer={null} unmountOnExit className="wechat-dialog">
      <form onSubmit={submit} noValidate>
        <img src={status?.wechat_qrcode} alt={t('account.wechatQrcode')} width={200} height={200} />
        <p id="wechat-how">{t('account.wechatHow', { word: CODE_KEYWORD })}</p>
        <Input
          name="code"
          autoFocus
          autoComplete="one-time-code"
          placeholder={t('account.wechatCode')}
          aria-label={t('account.wechatCode')}
          aria-describedby={isMissing ? 'wechat-how wechat-missing' : 'wechat-how'}
          aria-invalid={isMissing}
          {...(isMissing && { status: 'error' as const })}
        />
        {isMissing && (
          <p id="wechat-missing" className="wechat-missing" role="alert">
            {t('account.wechatMissing')}
          </p>
        )}
        <Button type="primary" htmlType="submit" long loading={sendAction.isPending}>
          {submitText}
        </Button>
      </form>
    </Modal>
  )
}
