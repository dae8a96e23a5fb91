/* Built by make components from the folders beside this one: edit those. */
var overStorage=open=>({get(key){try{return JSON.parse(open().getItem(key)??"null")}catch{return null}},set(key,value){try{
return open().setItem(key,JSON.stringify(value)),!0}catch{return!1}},drop(key){try{open().removeItem(key)}catch{return}},
keys(prefix){try{return Object.keys(open()).filter(key=>key.startsWith(prefix))}catch{return[]}}}),memory=overStorage(()=>localStorage),
tabMemory=overStorage(()=>sessionStorage);var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}};var find=(root,selector,kind)=>{let node=root.querySelector(selector);if(!(node instanceof(kind??HTMLElement)))throw new Error(
`No ${kind?.name??"node"} at ${selector}.`);return node};var readPicture=async file=>{let bitmap=await createImageBitmap(file),scale=Math.min(1,1e3/bitmap.width),canvas=document.
createElement("canvas");return canvas.width=Math.max(1,Math.round(bitmap.width*scale)),canvas.height=Math.max(1,Math.round(
bitmap.height*scale)),canvas.getContext("2d")?.drawImage(bitmap,0,0,canvas.width,canvas.height),bitmap.close(),canvas.toDataURL(
"image/webp",.8)},insertPicture=(text,at,name,data)=>{let label=`picture-${Date.now().toString(36)}`,about=name.replace(
/\.[^.]*$/,"").replace(/[^\p{L}\p{N} _-]/gu," ").trim()||"picture";return`${text.slice(0,at)}![${about}][${label}]${text.
slice(at).trimEnd()}

[${label}]: ${data}
`};var PAUSE_MS=300,clock=at=>new Date(at).toLocaleTimeString([],{hour:"2-digit",minute:"2-digit"}),Editor=class{constructor(parent){
this.parent=parent,this.area=find(parent,"textarea",HTMLTextAreaElement),this.note=find(parent,"input[type=text]",HTMLInputElement),
this.file=find(parent,".file",HTMLInputElement),this.kept=find(parent,".kept"),this.place="",this.standing="",this.pressed=
0,this.timer=0,this.area.oninput=this.note.oninput=()=>this.typed(),this.area.onblur=()=>this.settle(),this.button("back").
onclick=()=>{this.area.value=this.standing,this.note.value="",this.keep()},this.button("check").onclick=()=>this.press("\
check"),this.button("save").onclick=()=>this.press("save"),this.button("picture").onclick=()=>this.file.click(),this.file.
onchange=()=>this.addPicture(),this.leaving=event=>{this.settle(),this.isChanged&&!memory.get(this.place)&&event.preventDefault()},
window.addEventListener("beforeunload",this.leaving)}button(name){return find(this.parent,`.${name}`,HTMLButtonElement)}isSame(one,other){
return this.data.prose?one.trim()===other.trim():one===other}get isChanged(){return!this.isSame(this.area.value,this.standing)}draw(words=""){
let{data,isChanged}=this;this.button("save").disabled=!isChanged||!data.signed,this.button("back").disabled=!isChanged,this.
button("save").title=data.signed?"":"Give your name first: it is stored with the version.",find(this.parent,".state").textContent=
words||(isChanged?"Not saved; kept in this browser.":"This text is saved.")}get words(){return{text:this.area.value,base:this.
standing,note:this.note.value,at:Date.now()}}keep(){if(clearTimeout(this.timer),this.timer=0,!this.isChanged)return memory.
drop(this.place),this.kept.hidden=!0,this.draw();this.draw(memory.set(this.place,this.words)?"":"Not saved, and this bro\
wser keeps nothing: save before you leave.")}settle(){this.timer&&this.keep()}typed(){this.draw("Typing ..."),clearTimeout(
this.timer),this.timer=setTimeout(()=>this.keep(),PAUSE_MS)}press(what){this.keep(),this.pressed=Math.max(this.pressed,this.
data.last)+1,this.setTriggerValue?.("pressed",{n:this.pressed,what,text:this.area.value,note:this.note.value})}async addPicture(){
let chosen=this.file.files?.[0];if(chosen){this.file.value="";try{let{area}=this;area.value=insertPicture(area.value,area.
selectionStart,chosen.name,await readPicture(chosen)),this.keep()}catch{this.draw(`${chosen.name} is not a picture that \
this browser can read: choose a PNG, JPEG, GIF or WebP file.`)}}}render({data,setTriggerValue}){this.settle(),this.data=
data,this.setTriggerValue=setTriggerValue;let{area,note,kept}=this;area.setAttribute("aria-label",data.label),area.spellcheck=
data.prose,area.dir=data.prose?"auto":"ltr",area.classList.toggle("prose",data.prose),this.button("check").hidden=!data.
checks,this.button("picture").hidden=!data.prose;let place=`benchwright:${data.kind}:${data.workspace}:${data.name}`;if(this.
place!==place||this.standing!==data.text){let before=this.place===place&&this.isChanged?this.words:null;this.place=place,
this.standing=data.text;let words=before??memory.get(place);if(kept.hidden=!words||this.isSame(words.text,data.text),words&&
!kept.hidden){area.value=words.text,note.value=words.note??"";let since=words.base===data.text?"":"; another text was sa\
ved or chosen since you began";kept.textContent=`Your unsaved text of ${clock(words.at)} is in the box${since}.`}else area.
value=data.text,note.value="",memory.drop(place)}this.draw()}stop(){this.settle(),window.removeEventListener("beforeunlo\
ad",this.leaving)}},editor_default=mount(parent=>new Editor(parent));export{editor_default as default};
