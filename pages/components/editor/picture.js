// Puts a picture into a text: reads the picture from a file, scales it down, and inserts it at the caret.

const MAX_WIDTH_PIXELS = 1000
const QUALITY = 0.8

/**
 * Return the picture file as a data URI, scaled to at most MAX_WIDTH_PIXELS in width. Rejects a file that the browser cannot
 * read.
 * @param {File} file
 */
export const readPicture = async file => {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, MAX_WIDTH_PIXELS / bitmap.width)
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return canvas.toDataURL("image/webp", QUALITY)
}

/**
 * Return the text with the picture inserted at position `at`; the picture's data is appended at the end of the text.
 * @param {string} text
 * @param {number} at
 * @param {string} name
 * @param {string} data
 */
export const insertPicture = (text, at, name, data) => {
  const label = `picture-${Date.now().toString(36)}`
  const about =
    name
      .replace(/\.[^.]*$/, "")
      .replace(/[^\p{L}\p{N} _-]/gu, " ")
      .trim() || "picture"
  return `${text.slice(0, at)}![${about}][${label}]${text.slice(at).trimEnd()}\n\n[${label}]: ${data}\n`
}
