/**
 * Closes dialogs that a page opened with `Modal.info` and the like: they outlive the page, and may show a key. The question
 * before leaving a page is a different component and stays open. Dialog code is not part of the login page's bundle; if a
 * dialog is open, it is loaded already.
 */
export async function closeDialogs(): Promise<void> {
  if (!document.querySelector('.arco-modal')) return
  try {
    const { default: Modal } = await import('@arco-design/web-react/es/Modal')
    Modal.destroyAll()
  } catch {
    // The code is not loaded and not available, so no dialog is open.
  }
}
