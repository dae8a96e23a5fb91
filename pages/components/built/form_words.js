/* Built by make components from the folders beside this one: edit those. */
var overStorage=open=>({get(key){try{return JSON.parse(open().getItem(key)??"null")}catch{return null}},set(key,value){try{
return open().setItem(key,JSON.stringify(value)),!0}catch{return!1}},drop(key){try{open().removeItem(key)}catch{return}},
keys(prefix){try{return Object.keys(open()).filter(key=>key.startsWith(prefix))}catch{return[]}}}),memory=overStorage(()=>localStorage),
tabMemory=overStorage(()=>sessionStorage);var mount=make=>{let drawn=new WeakMap;return component=>{let{parentElement}=component,one=drawn.get(parentElement)??make(
parentElement);return drawn.set(parentElement,one),one.render(component),()=>{drawn.get(parentElement)?.stop(),drawn.delete(
parentElement)}}};var freshKey=()=>crypto.randomUUID?.()??[...crypto.getRandomValues(new Uint8Array(16))].map(byte=>byte.toString(16).padStart(
2,"0")).join("");var PREFIX="benchwright.desk",FORGET_AFTER_MS=30*864e5;var TAB=(()=>{let fresh=freshKey();try{let place=`${PREFIX}.tab`;return sessionStorage.getItem(place)||sessionStorage.setItem(
place,fresh),sessionStorage.getItem(place)??fresh}catch{return fresh}})();var TYPING="data-benchwright-typing",markTyping=on=>document.body.toggleAttribute(TYPING,on);var FOCUS_WITHIN_MS=3e3,NEW_ROW_WITHIN_MS=1e4,done=new Set,FormWords=class{constructor(){this.data=void 0,this.fields="",
this.place="",this.lost=!1,this.touched=!1,this.hear=()=>{this.touched=!0,setTimeout(()=>this.keep())},this.early=null,this.
waiting=0,this.press=event=>this.notePress(event),this.leaving=event=>{this.touched&&this.keep(),this.lost&&event.preventDefault()};
for(let name of["input","focusout","click"])document.addEventListener(name,this.hear,!0);for(let name of["keydown","clic\
k"])document.addEventListener(name,this.press,!0);window.addEventListener("beforeunload",this.leaving),this.locks=new MutationObserver(
()=>this.unlock()),this.locks.observe(document.body,{subtree:!0,attributeFilter:["disabled","data-test-connection-state"]})}unlock(){
if(document.querySelector('[data-testid="stApp"]')?.dataset.testConnectionState!=="CONNECTED")for(let box of(this.data&&
findBoxes(this.data))??[])box.disabled&&(box.disabled=!1)}keep(){let{data}=this,boxes=data&&findBoxes(data);if(!boxes)return;
let{columns}=data,rows=data.rows.map((_,row)=>Object.fromEntries(columns.map((name,at)=>[name,boxes[row*columns.length+at].
value])));data.changed||!isSame(rows,data.rows)?this.store(data,rows):this.drop(data.place)}store({place,number},rows){this.
lost=!memory.set(keyOf(place),{number,rows,at:Date.now()})}drop(place){memory.drop(keyOf(place)),this.lost=!1}render({data,
setTriggerValue}){let{place,number,rows,fields,forgotten}=data,isOpened=this.place!==place,isNew=this.fields!==fields;this.
data=data,this.place=place,this.fields=fields,isNew&&(this.touched=!1),forgotten&&!done.has(forgotten.at)&&(done.add(forgotten.
at),this.drop(forgotten.place));let kept=isOpened||isNew&&!data.changed?memory.get(keyOf(place)):null;if(kept&&!isSame([
kept.number,kept.rows],[number,rows])){setTriggerValue("kept",{number:kept.number,rows:kept.rows});return}isNew&&data.changed&&
this.store(data,rows),isOpened&&isTypedIn(data)&&this.hear(),isNew&&data.focus!==null&&focusRow(data,data.focus,Date.now()+
FOCUS_WITHIN_MS,box=>this.typeEarly(box))}notePress(event){let{data}=this;event instanceof KeyboardEvent?event.altKey&&event.
code==="KeyA"&&data&&findBoxes(data)?this.wait():this.early!==null&&!event.isComposing&&!event.ctrlKey&&!event.metaKey&&
!event.altKey&&this.collect(event):event.target instanceof Element&&event.target.closest(`.st-key-${data?.add} button`)&&
this.wait()}wait(){this.early??="",markTyping(!0),clearTimeout(this.waiting),this.waiting=setTimeout(()=>{let box=this.data&&
findBoxes(this.data)?.find(one=>one===document.activeElement);box&&this.typeEarly(box),this.stopCollecting()},NEW_ROW_WITHIN_MS)}collect(event){
let{key}=event;if(key==="Backspace")this.early=(this.early??"").slice(0,-1);else if(key.length===1)this.early+=key;else return;
event.preventDefault(),event.stopPropagation()}typeEarly(box){let words=this.early;if(this.stopCollecting(),!words)return;
let kind=box instanceof HTMLTextAreaElement?HTMLTextAreaElement:HTMLInputElement;Object.getOwnPropertyDescriptor(kind.prototype,
"value")?.set?.call(box,box.value+words),box.dispatchEvent(new Event("input",{bubbles:!0}))}stopCollecting(){this.early=
null,markTyping(!1)}stop(){clearTimeout(this.waiting),this.stopCollecting();for(let name of["keydown","click"])document.
removeEventListener(name,this.press,!0);for(let name of["input","focusout","click"])document.removeEventListener(name,this.
hear,!0);window.removeEventListener("beforeunload",this.leaving),this.locks.disconnect()}},findBoxes=({fields,columns,rows})=>{
let boxes=document.querySelectorAll(`.st-key-${fields} :is(textarea, input[type=text])`);return boxes.length===rows.length*
columns.length?[...boxes]:null},isTypedIn=data=>(findBoxes(data)??[]).some(box=>box===document.activeElement),focusRow=(data,row,until,focused,isFirst=!0)=>{
let boxes=findBoxes(data),box=boxes?.[row*data.columns.length];box&&(isFirst||document.activeElement===document.body)&&box.
focus(),box&&!isRunning()&&focused(box),Date.now()<until&&requestAnimationFrame(()=>focusRow(data,row,until,focused,isFirst&&
!boxes))},isRunning=()=>document.querySelector('[data-testid="stApp"]')?.getAttribute("data-test-script-state")!=="notRu\
nning",keyOf=place=>`${PREFIX}.form:${place}`,isSame=(one,other)=>JSON.stringify(one)===JSON.stringify(other),form_words_default=mount(
()=>new FormWords);export{form_words_default as default};
