// The Streamlit component of the review desk.

import { mount } from "../lib/component.js"
import { Desk } from "./desk.js"
import "./desk.css"
import "./document/paper.css"
import "../page_view/pages.css"
import "./card.css"
import "./opinions.css"
import "../lib/other_words.css"

export default mount(parent => new Desk(parent))
